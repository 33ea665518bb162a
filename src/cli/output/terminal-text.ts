import { randomUUID } from 'node:crypto';

import type { CliIo, CliStream } from '../cli-io.js';

/** Nobody outside of this process can guess it, so no text from outside holds a code of ours. */
const MARK = `\u0000${randomUUID()}`;

/**
 * C0 controls but tab and line break, DEL, C1 controls, separators of lines, and the characters that
 * change the direction of writing. A terminal would obey them: a name could hide or forge other text.
 */
const UNSAFE =
  // eslint-disable-next-line no-control-regex
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/g;

/**
 * Stands for a space in a command that a person may paste, so that no line break comes between its words. Unicode
 * reserves it for the use inside of a program; `toTerminalText` writes the space.
 */
export const NO_BREAK = '\ufdd0';

/** A code for the terminal, such as `31m`. Only `toTerminalText` makes it work. */
export function terminalCode(code: string): string {
  return `${MARK}${code};`;
}

/**
 * The text as a terminal may get it: our own codes work, everything else is only shown. JSON stays the
 * same JSON.
 */
export function toTerminalText(text: string): string {
  const [first = '', ...parts] = text.split(MARK);
  const rest = parts.map((part) => {
    const end = part.indexOf(';');
    return `\u001b[${part.slice(0, end)}${escape(part.slice(end + 1))}`;
  });
  return [escape(first), ...rest].join('').replaceAll(NO_BREAK, ' ');
}

/** Letters that take two columns of a terminal. */
const WIDE =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Emoji_Presentation}\u3000-\u303f\uff01-\uff60]/gu;
const TAKES_NO_COLUMN = /\p{Mark}|[\u200b\u200c]|\u200d/gu;

/** How many columns of a terminal a line takes. */
export function widthOf(line: string): number {
  const [first = '', ...parts] = line.split(MARK);
  const shown = escape(first + parts.map((part) => part.slice(part.indexOf(';') + 1)).join(''));
  // Most lines.
  if (/^[ -~]*$/.test(shown)) return shown.length;
  const letters = shown.replaceAll(TAKES_NO_COLUMN, '');
  return Array.from(letters).length + (letters.match(WIDE)?.length ?? 0);
}

/** In a view with one thing a line, a line break in a name would forge another thing. */
export function oneLine(text: string): string {
  return text.replaceAll('\n', '\\u000a');
}

function escape(text: string): string {
  return text.replace(UNSAFE, (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

/** The same streams, but a text from outside cannot control the terminal. Everything is written through it. */
export function withSafeOutput(io: CliIo): CliIo {
  const safe = (stream: CliStream): CliStream => ({
    ...stream,
    write: (text) => {
      stream.write(toTerminalText(text));
    },
  });
  return { ...io, stdout: safe(io.stdout), stderr: safe(io.stderr) };
}

const CODES = { good: 32, bad: 31, busy: 33, dim: 2, bold: 1 } as const;
export type Style = keyof typeof CODES;

/** Colours a text, or returns it unchanged. */
export type Paint = (style: Style, text: string) => string;

export const plain: Paint = (_style, text) => text;

export const coloured: Paint = (style, text) =>
  `${terminalCode(`${CODES[style]}m`)}${text}${terminalCode('0m')}`;

export type ColorChoice = 'always' | 'never' | 'auto';

export function choosePaint(choice: ColorChoice, { hasColors }: { hasColors: boolean }): Paint {
  const isColoured = choice === 'always' || (choice === 'auto' && hasColors);
  return isColoured ? coloured : plain;
}
