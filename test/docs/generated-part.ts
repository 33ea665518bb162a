const BEGIN =
  '<!-- Generated from the code by "npm run docs:write" up to the next comment; a test compares them. -->';
const END = '<!-- End of what is generated. -->';

/** The page with this text between its two comments. The rest of it is written by hand. */
export function withGeneratedPart(page: string, text: string): string {
  const [head, rest] = page.split(BEGIN);
  const tail = rest?.split(END)[1];
  if (head === undefined || tail === undefined) throw new Error(`a page lacks ${BEGIN} or ${END}`);
  return `${head}${BEGIN}\n\n${text.trim()}\n\n${END}${tail}`;
}

export type Row = readonly [string, string];

/** A table of two columns, as Prettier formats it. */
export function tableOf([head, ...rows]: readonly [Row, ...Row[]]): string {
  const all = [head, ...rows];
  const widths = [0, 1].map((column) => Math.max(...all.map((row) => row[column]?.length ?? 0)));
  const line = (row: readonly string[]): string =>
    `| ${row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(' | ')} |`;
  const rule = widths.map((width) => '-'.repeat(width));
  return [head, rule, ...rows].map(line).join('\n');
}
