import { NO_BREAK, widthOf } from './terminal-text.js';

/**
 * Lines as a terminal of so many columns may get them: broken at spaces, below their last column where that leaves room.
 * What is to be pasted is one word (a command of `Hint`, an id, a URL): it is never broken, and stands alone on its
 * line where it is wider than the rest of one. Without a width, the lines stay as they are.
 */
export function fit(lines: readonly string[], width: number | undefined): string[] {
  if (width === undefined) return [...lines];
  return lines.flatMap((line) => fitLine(line, width));
}

function fitLine(line: string, width: number): string[] {
  if (widthOf(line) <= width) return [line];
  const indent = indentOf(line);
  const hang = hangOf(line, width);
  const lines: string[] = [];
  let current = '';
  const end = (): void => {
    if (current.trim() !== '') lines.push(current.trimEnd());
    current = ' '.repeat(hang);
  };
  for (const word of line.split(/(?<! )(?= )|(?<= )(?! )/)) {
    const isSpace = word.startsWith(' ');
    if (widthOf(current + word) <= width) current += isSpace && isBlank(current, lines) ? '' : word;
    else if (isSpace) end();
    else if (widthOf(word) + hang <= width && !word.includes(NO_BREAK)) {
      end();
      current += word;
    } else {
      end();
      lines.push(alone(word, indent, width));
    }
  }
  end();
  return lines;
}

/** The space at a break is left out; the one before the first word is the indent. */
function isBlank(current: string, lines: readonly string[]): boolean {
  return lines.length > 0 && current.trim() === '';
}

/** A sentence may go on behind a command. Its sign would be pasted too. */
function alone(word: string, indent: number, width: number): string {
  const text = word.includes(NO_BREAK) ? word.replace(/[.,;:]$/, '') : word;
  return widthOf(text) + indent <= width ? ' '.repeat(indent) + text : text;
}

function indentOf(line: string): number {
  return line.length - line.trimStart().length;
}

const MIN_ROOM = 24;

/** Where the last column begins, for columns that two spaces part. */
function hangOf(line: string, width: number): number {
  const [head = ''] = /^ *(?:\S+(?: \S+)* {2,})*/.exec(line) ?? [];
  const column = widthOf(head);
  if (column <= width - MIN_ROOM) return column;
  return Math.min(indentOf(line) + 2, Math.max(0, width - MIN_ROOM));
}
