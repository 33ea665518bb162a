import { oneLine, widthOf } from './terminal-text.js';

/** Rows as lines. Each column is as wide as its widest cell, except the last one. */
export function align(cells: readonly (readonly string[])[]): string[] {
  const rows = cells.map((row) => row.map(oneLine));
  const widths: number[] = [];
  for (const row of rows) {
    row.forEach((cell, column) => {
      widths[column] = Math.max(widths[column] ?? 0, widthOf(cell));
    });
  }
  return rows.map((row) =>
    row
      .map((cell, column) => cell + ' '.repeat((widths[column] ?? 0) - widthOf(cell)))
      .join('  ')
      .trimEnd(),
  );
}
