/** Checks the shape, because an error of another realm is no instance of this realm's `Error`. */
function hasText<K extends string>(error: unknown, key: K): error is Record<K, string> {
  return typeof error === 'object' && error !== null && typeof Reflect.get(error, key) === 'string';
}

export function messageOf(error: unknown): string {
  return hasText(error, 'message') ? error.message : String(error);
}

/** Node's code of a failed system call, such as ENOENT. */
export function codeOf(error: unknown): string | undefined {
  return hasText(error, 'code') ? error.code : undefined;
}

export function withCause(error: unknown): string {
  const cause = error instanceof Error ? error.cause : undefined;
  return cause === undefined ? messageOf(error) : `${messageOf(error)}: ${messageOf(cause)}`;
}
