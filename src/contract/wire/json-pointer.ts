/** JSON Pointers (RFC 6901). */

/** Of those that a caller gives. */
export const MAX_POINTER_BYTES = 500;

const POINTER = /^(?:\/(?:[^/~]|~[01])*)*$/;

export function isPointer(text: string): boolean {
  return POINTER.test(text);
}

/** The names and the indexes that lead to the value; none for the whole document. */
export function tokensOf(pointer: string): string[] {
  const tokens = pointer.split('/').slice(1);
  return tokens.map((token) => token.replaceAll('~1', '/').replaceAll('~0', '~'));
}

const INDEX = /^(?:0|[1-9]\d{0,8})$/;

/** The value there; `undefined` when the document has none. */
export function valueAt(document: unknown, pointer: string): unknown {
  return tokensOf(pointer).reduce<unknown>(below, document);
}

function below(value: unknown, token: string): unknown {
  if (!(value instanceof Object)) return undefined;
  if (Array.isArray(value)) return INDEX.test(token) ? value[Number(token)] : undefined;
  return Object.getOwnPropertyDescriptor(value, token)?.value;
}
