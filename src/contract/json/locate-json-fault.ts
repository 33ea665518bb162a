import { printParseErrorCode, visit } from 'jsonc-parser';

import { firstSeen } from './first-seen.js';

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
