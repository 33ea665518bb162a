import { printParseErrorCode, visit } from 'jsonc-parser';

import { tooManyValues, toPath } from '../engine/core/faults.js';

class Seen extends Error {}

/**
 * The first thing that a visitor sees. It ends the visit, which has no other way to end: the rest of the text
 * may have millions more.
 */
function firstSeen<T>(visit: (see: (thing: T) => void) => void): T | undefined {
  let first: T | undefined;
  try {
    visit((thing) => {
      first = thing;
      throw new Seen();
    });
  } catch (error) {
    if (!(error instanceof Seen)) throw error;
  }
  return first;
}

interface SyntaxFault {
  line: number;
  column: number;
  /** Never quotes a value: it may be a password. */
  message: string;
}

/** By the parser's name for the fault. */
const MESSAGES: Readonly<Record<string, string>> = {
  ValueExpected: 'expected a value',
  PropertyNameExpected: 'expected a name in double quotes',
  ColonExpected: 'expected ":"',
  CommaExpected: 'expected "," or a closing bracket',
  CloseBraceExpected: 'expected "," or "}"',
  CloseBracketExpected: 'expected "," or "]"',
  EndOfFileExpected: 'expected nothing more',
  InvalidSymbol: 'unknown word: names and texts need double quotes',
  InvalidCommentToken: 'JSON has no comments',
  InvalidCharacter: 'this text has a tab or another control character: write it as \\t or \\u0000',
  InvalidEscapeCharacter: 'this text has an unknown character after "\\"',
  InvalidUnicode: 'this text needs four hexadecimal digits after "\\u"',
  UnexpectedEndOfString: 'this text has no closing double quote on its line',
  UnexpectedEndOfNumber: 'this number is incomplete',
};

/**
 * The first fault of a text that is not JSON; `undefined` when it is JSON. The message of
 * `JSON.parse` names no place in some versions of Node, and it quotes the text around the fault.
 */
export function locateJsonFault(text: string): SyntaxFault | undefined {
  const first = firstError(text);
  if (first === undefined) return undefined;
  const { line, column, offset } = first;
  const message = MESSAGES[printParseErrorCode(first.error)] ?? 'is not JSON';
  return { line, column, message: `${message}${found(text, offset)}` };
}

interface FirstError {
  error: number;
  offset: number;
  line: number;
  column: number;
}

/** A text of 2 MB may have millions of them. */
function firstError(text: string): FirstError | undefined {
  return firstSeen<FirstError>((see) => {
    visit(
      text,
      {
        // eslint-disable-next-line max-params -- the library calls it so
        onError: (error, offset, _length, line, column) => {
          see({ error, offset, line: line + 1, column: column + 1 });
        },
      },
      { disallowComments: true },
    );
  });
}

function found(text: string, offset: number): string {
  if (offset >= text.length) return ', found the end';
  const [mark] = /^[{}[\],:]/.exec(text.slice(offset)) ?? [];
  return mark === undefined ? '' : `, found "${mark}"`;
}

export interface JsonFault {
  /** Names and indexes; empty where the fault is about the whole text. */
  path: readonly (string | number)[];
  /** From 1. */
  line: number;
  column: number;
  /** Never quotes a value: it may be a password. */
  message: string;
}

export type ParsedJson =
  | { ok: true; value: unknown }
  /** `isJson`: it can be parsed, but not every reader would understand the same. */
  | { ok: false; isJson: boolean; fault: JsonFault };

/** Far more than any input has. `parseInput` refuses the same depth. */
const MAX_DEPTH = 100;
const TOO_DEEP = `is nested more than ${MAX_DEPTH} levels deep`;
const START = { path: [], line: 1, column: 1 } as const;

/**
 * JSON of which every reader understands the same: no name twice in one object, of which `JSON.parse` would leave
 * out the first without a word; no comments; and not so deep that a parser runs out of stack.
 *
 * @param maxValues what surely has more, as `shapeFaults` counts them, is refused before it is parsed, which takes ten
 * times as long: for a text of a stranger
 */
export function parseJson(
  text: string,
  { maxValues = Infinity }: { maxValues?: number } = {},
): ParsedJson {
  const { depth, members, commas } = measure(text);
  const refuse = (message: string) =>
    ({ ok: false, isJson: true, fault: { ...START, message } }) as const;
  if (depth > MAX_DEPTH) return refuse(TOO_DEEP);
  if (commas > maxValues) return refuse(tooManyValues(maxValues));
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    // The message of `JSON.parse` may quote the text around the fault.
    const fault = locateJsonFault(text) ?? { ...START, message: 'cannot be parsed' };
    return { ok: false, isJson: false, fault: { path: [], ...fault } };
  }
  if (membersOf(value) === members) return { ok: true, value };
  const fault = findRepeated(text) ?? { ...START, message: 'has a name twice' };
  return { ok: false, isJson: true, fault };
}

/** For a fault that has no other place for the path: `is not JSON: line 3, column 1`, `keys.a is there twice`. */
export function formatJsonFault({ isJson, fault }: Extract<ParsedJson, { ok: false }>): string {
  const { path, line, column, message } = fault;
  if (!isJson) return `is not JSON: line ${line}, column ${column}`;
  return path.length === 0 ? message : `${toPath(path)} ${message}`;
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;
const COLON = 0x3a;
const OPEN_BRACKET = 0x5b;
const CLOSE_BRACKET = 0x5d;
const OPEN_BRACE = 0x7b;
const CLOSE_BRACE = 0x7d;

interface Measures {
  depth: number;
  /** Colons outside of texts: each is one member of an object. */
  members: number;
  /** Outside of texts: there are more values than these. */
  commas: number;
}

/** One pass, without recursion. */
function measure(text: string): Measures {
  let depth = 0;
  let deepest = 0;
  let members = 0;
  let commas = 0;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) at = endOfText(text, at);
    else if (code === COMMA) commas += 1;
    else if (code === COLON) members += 1;
    else if (code === OPEN_BRACKET || code === OPEN_BRACE) deepest = Math.max(deepest, ++depth);
    else if (code === CLOSE_BRACKET || code === CLOSE_BRACE) depth -= 1;
  }
  return { depth: deepest, members, commas };
}

/** Where the text ends whose first quote is here: the native search passes over a megabyte in no time. */
function endOfText(text: string, begin: number): number {
  for (let end = begin; ;) {
    end = text.indexOf('"', end + 1);
    if (end === -1) return text.length;
    let before = end - 1;
    while (text.charCodeAt(before) === BACKSLASH) before -= 1;
    const escapes = end - 1 - before;
    if (escapes % 2 === 0) return end;
  }
}

/** Members of all objects in it: fewer than the text has when a name is there twice. */
function membersOf(value: unknown): number {
  let members = 0;
  const open: unknown[] = [value];
  while (open.length > 0) {
    const next = open.pop();
    if (typeof next !== 'object' || next === null) continue;
    const inner: unknown[] = Object.values(next);
    if (!Array.isArray(next)) members += inner.length;
    for (const one of inner) open.push(one);
  }
  return members;
}

/** The first name that its object already has. */
function findRepeated(text: string): JsonFault | undefined {
  const names: Set<string>[] = [];
  return firstSeen<JsonFault>((see) => {
    visit(text, {
      /* eslint-disable max-params -- the library calls them so */
      onObjectBegin: () => void names.push(new Set()),
      onObjectEnd: () => void names.pop(),
      onObjectProperty(name, _offset, _length, line, column, parents) {
        const seen = names.at(-1);
        const place = { line: line + 1, column: column + 1 };
        if (seen?.has(name) === true) {
          see({ path: [...parents(), name], ...place, message: 'is there twice' });
        }
        seen?.add(name);
      },
      /* eslint-enable max-params */
    });
  });
}
