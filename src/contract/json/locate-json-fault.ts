import { parse, printParseErrorCode, type ParseError } from 'jsonc-parser';

export interface JsonFault {
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
export function locateJsonFault(text: string): JsonFault | undefined {
  const errors: ParseError[] = [];
  parse(text, errors, { disallowComments: true });
  const [first] = errors;
  if (first === undefined) return undefined;
  const lines = text.slice(0, first.offset).split('\n');
  return {
    line: lines.length,
    column: (lines.at(-1)?.length ?? 0) + 1,
    message: `${MESSAGES[printParseErrorCode(first.error)] ?? 'is not JSON'}${found(text, first)}`,
  };
}

function found(text: string, { offset }: ParseError): string {
  if (offset >= text.length) return ', found the end';
  const [mark] = /^[{}[\],:]/.exec(text.slice(offset)) ?? [];
  return mark === undefined ? '' : `, found "${mark}"`;
}
