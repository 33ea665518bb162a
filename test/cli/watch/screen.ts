/** A terminal that knows what the command line writes: text, line breaks, and the codes that draw a block again. */
export interface Screen {
  write: (text: string) => void;
  /** The rows that are written, those above the screen too. */
  rows: () => string[];
}

/** @param height how many rows can be drawn over */
export function createScreen(columns: number, height = 24): Screen {
  let rows = [''];
  let row = 0;
  const write = (text: string): void => {
    // eslint-disable-next-line no-control-regex
    for (const [part] of text.matchAll(/\x1b\[\??\d*[A-Za-z]|\n|[^\x1b\n]/g)) {
      if (part.endsWith('A') && part.startsWith('\x1b')) {
        row = Math.max(rows.length - height, row - Number(part.slice(2, -1)), 0);
      } else if (part === '\x1b[0J') rows = [...rows.slice(0, row), ''];
      else if (part === '\n') rows[(row += 1)] ??= '';
      else if (part.length === 1) {
        if ((rows[row] ?? '').length === columns) row += 1;
        rows[row] = (rows[row] ?? '') + part;
      }
    }
  };
  return { write, rows: () => rows };
}
