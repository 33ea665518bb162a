/**
 * The JSON Pointer (RFC 6901) of a path such as `instance.volumes[0].size`, in the document that the
 * path is about. A path does not tell a dot inside a name from a dot between two names; the document does.
 */
export function toPointer(path: string, document: unknown): string {
  if (path === '(input)') return '';
  const tokens: string[] = [];
  let rest = path;
  let value = document;
  while (rest !== '') {
    const { token, length } = nextToken(rest, value);
    tokens.push(token);
    value = memberOf(value, token);
    rest = rest.slice(length);
  }
  return tokens.map((token) => `/${token.replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');
}

interface Token {
  token: string;
  /** How much of the path it takes. */
  length: number;
}

function nextToken(rest: string, value: unknown): Token {
  if (rest.startsWith('[""]')) return { token: '', length: 4 };
  const [index, number = ''] = /^\[(\d+)\]/.exec(rest) ?? [];
  if (index !== undefined) return { token: number, length: index.length };
  const dot = rest.startsWith('.') ? 1 : 0;
  const name = longestName(rest.slice(dot), value) ?? /^[^.[]+/.exec(rest.slice(dot))?.[0];
  // Nothing that a path has: keep it as it is, so that nothing is lost.
  const token = name ?? rest.slice(dot);
  return { token, length: dot + token.length };
}

/** The longest name of the value that the text begins with. */
function longestName(text: string, value: unknown): string | undefined {
  if (!(value instanceof Object)) return undefined;
  return Object.keys(value)
    .filter((name) => name !== '' && text.startsWith(name))
    .filter((name) => ['', '.', '['].includes(text.charAt(name.length)))
    .sort((a, b) => b.length - a.length)[0];
}

function memberOf(value: unknown, token: string): unknown {
  if (!(value instanceof Object)) return undefined;
  return new Map<string, unknown>(Object.entries(value)).get(token);
}
