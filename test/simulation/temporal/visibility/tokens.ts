import { invalidArgument } from '../base/grpc-error.js';

export type Token =
  | { kind: 'word'; text: string; at: number }
  | { kind: 'text'; text: string; at: number }
  | { kind: 'number'; value: number; at: number }
  | { kind: 'sign'; text: string; at: number }
  | { kind: 'end'; at: number };

const SPACE = /\s+/y;
const WORD = /[A-Za-z_][\w.-]*/y;
const NUMBER = /-?\d+(?:\.\d+)?/y;
const SIGN = /<=|>=|!=|<>|[=<>(),]/y;

/** What the server puts before a filter to make an SQL statement of it. */
const STATEMENT = 'select * from dummy where ';

export function syntaxError(at: number): Error {
  const position = STATEMENT.length + at + 1;
  return invalidArgument(
    `invalid query: malformed SQL query: syntax error at position ${position}`,
  );
}

/** The tokens of a list filter, the last of which is `end`. @throws GrpcError */
export function tokensOf(query: string): Token[] {
  const tokens: Token[] = [];
  let at = 0;
  const take = (pattern: RegExp): string | undefined => {
    pattern.lastIndex = at;
    const [text] = pattern.exec(query) ?? [];
    if (text !== undefined) at += text.length;
    return text;
  };
  for (;;) {
    take(SPACE);
    if (at >= query.length) break;
    const start = at;
    const quote = query.charAt(at);
    if (quote === '"' || quote === "'" || quote === '`') {
      const { text, end } = quoted(query, at);
      at = end;
      tokens.push({ kind: quote === '`' ? 'word' : 'text', text, at: start });
      continue;
    }
    tokens.push(plainToken(take, start));
  }
  tokens.push({ kind: 'end', at });
  return tokens;
}

function plainToken(take: (pattern: RegExp) => string | undefined, at: number): Token {
  const word = take(WORD);
  if (word !== undefined) return { kind: 'word', text: word, at };
  const number = take(NUMBER);
  if (number !== undefined) return { kind: 'number', value: Number(number), at };
  const sign = take(SIGN);
  if (sign === undefined) throw syntaxError(at);
  return { kind: 'sign', text: sign, at };
}

/** A quoted text: a backslash or a doubled quote lets a quote stand in it. */
function quoted(query: string, from: number): { text: string; end: number } {
  const quote = query.charAt(from);
  let text = '';
  for (let at = from + 1; at < query.length; at += 1) {
    const letter = query.charAt(at);
    if (letter === '\\') {
      at += 1;
      text += query.charAt(at);
    } else if (letter !== quote) text += letter;
    else if (query.charAt(at + 1) === quote) {
      at += 1;
      text += quote;
    } else return { text, end: at + 1 };
  }
  throw syntaxError(from);
}
