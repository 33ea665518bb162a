export interface JsonFault {
  line: number;
  column: number;
  /** What is there, and what should be. Never quotes a value: it may be a password. */
  message: string;
}

const TOKEN =
  /[{}[\],:]|"(?:[^"\\\n\r\t]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*"|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null/y;
const SPACE = /[ \t\r\n]*/y;

/** What may come next, and how a person calls it. */
const EXPECTED = {
  value: 'a value',
  valueOrEnd: 'a value or "]"',
  keyOrEnd: 'a name in double quotes or "}"',
  key: 'a name in double quotes',
  colon: '":"',
  commaOrBracket: '"," or "]"',
  commaOrBrace: '"," or "}"',
  end: 'nothing more',
} as const;
type State = keyof typeof EXPECTED;

/**
 * Where a text that `JSON.parse` refuses stops being JSON, if it can be told. `JSON.parse` says so in some versions and for some faults only,
 * and quotes the text around it.
 */
export function locateJsonFault(text: string): JsonFault | undefined {
  const open: string[] = [];
  let state: State = 'value';
  for (let offset = skipSpace(text, 0); ; offset = skipSpace(text, offset)) {
    const isEnd = offset >= text.length;
    if (isEnd && state === 'end') return undefined;
    const token = isEnd ? undefined : readToken(text, offset);
    const next: State | undefined = token === undefined ? undefined : advance[state](token, open);
    if (token === undefined || next === undefined) {
      return toFault(text, offset, { found: isEnd ? 'the end' : token, state });
    }
    state = next;
    offset += token.length;
  }
}

function skipSpace(text: string, offset: number): number {
  SPACE.lastIndex = offset;
  SPACE.test(text);
  return SPACE.lastIndex;
}

function readToken(text: string, offset: number): string | undefined {
  TOKEN.lastIndex = offset;
  return TOKEN.exec(text)?.[0];
}

type Advance = (token: string, open: string[]) => State | undefined;

/** The state after a token, or undefined where the token must not stand. */
const advance: Record<State, Advance> = {
  value: beginValue,
  valueOrEnd: (token, open) => (token === ']' ? close(open) : beginValue(token, open)),
  key: (token) => (token.startsWith('"') ? 'colon' : undefined),
  keyOrEnd: (token, open) => (token === '}' ? close(open) : advance.key(token, open)),
  colon: (token) => (token === ':' ? 'value' : undefined),
  commaOrBracket: (token, open) => afterItem(token, open, { end: ']', next: 'value' }),
  commaOrBrace: (token, open) => afterItem(token, open, { end: '}', next: 'key' }),
  end: () => undefined,
};

function afterItem(
  token: string,
  open: string[],
  { end, next }: { end: string; next: State },
): State | undefined {
  if (token === ',') return next;
  return token === end ? close(open) : undefined;
}

function beginValue(token: string, open: string[]): State | undefined {
  if (token === '{' || token === '[') {
    open.push(token);
    return token === '{' ? 'keyOrEnd' : 'valueOrEnd';
  }
  return /^[\]},:]$/.test(token) ? undefined : afterValue(open);
}

function close(open: string[]): State {
  open.pop();
  return afterValue(open);
}

function afterValue(open: readonly string[]): State {
  const inside = open.at(-1);
  if (inside === undefined) return 'end';
  return inside === '{' ? 'commaOrBrace' : 'commaOrBracket';
}

function toFault(
  text: string,
  offset: number,
  { found, state }: { found: string | undefined; state: State },
): JsonFault {
  const before = text.slice(0, offset).split('\n');
  const expected = `expected ${EXPECTED[state]}`;
  const isMark = found !== undefined && /^([{}[\],:]|the end)$/.test(found);
  return {
    line: before.length,
    column: (before.at(-1)?.length ?? 0) + 1,
    message: isMark ? `${expected}, found ${found === 'the end' ? found : `"${found}"`}` : expected,
  };
}
