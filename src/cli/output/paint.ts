import { terminalCode } from './terminal-text.js';

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
