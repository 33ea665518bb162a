const BEGIN =
  '<!-- Generated from the code by "npm run docs:write" up to the next comment; a test compares them. -->';
const END = '<!-- End of what is generated. -->';

/** The page with each text between two comments, in this order. The rest of it is written by hand. */
export function withGeneratedParts(page: string, ...texts: readonly string[]): string {
  const [head, ...rests] = page.split(BEGIN);
  const tails = rests.map((rest) => rest.split(END)[1]);
  if (head === undefined || tails.length !== texts.length || tails.includes(undefined)) {
    throw new Error(`a page lacks ${BEGIN} or ${END}, or has too many`);
  }
  const parts = texts.map((text, index) => `${BEGIN}\n\n${text.trim()}\n\n${END}${tails[index]}`);
  return [head, ...parts].join('');
}

export type Row = readonly string[];

/** A table as Prettier formats it. */
export function tableOf([head, ...rows]: readonly [Row, ...Row[]]): string {
  const all = [head, ...rows];
  const widths = head.map((_, column) => Math.max(...all.map((row) => row[column]?.length ?? 0)));
  const line = (row: readonly string[]): string =>
    `| ${row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(' | ')} |`;
  const rule = widths.map((width) => '-'.repeat(width));
  return [head, rule, ...rows].map(line).join('\n');
}
