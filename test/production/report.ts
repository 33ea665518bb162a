/** One line of the table at the end. */
export interface Row {
  part: string;
  what: string;
  result: string;
  /** False: the proof has failed. Missing: a figure, or something that was left out. */
  isSound?: boolean;
}

const startedAt = Date.now();

/** Progress goes to stderr. */
export function say(text: string): void {
  const seconds = ((Date.now() - startedAt) / 1_000).toFixed(0).padStart(4);
  process.stderr.write(`${seconds} s  ${text}\n`);
}

const VERDICTS = new Map<boolean | undefined, string>([
  [true, 'ok'],
  [false, 'FAILED'],
  [undefined, ''],
]);

/** A linter's whole output would make the table unreadable; `say` has all of it. */
const CELL_CHARACTERS = 160;

function cellOf(text: string): string {
  const line = text.replaceAll('|', '/').replaceAll(/\s+/g, ' ').trim();
  return line.length > CELL_CHARACTERS ? `${line.slice(0, CELL_CHARACTERS)} …` : line;
}

/** The table, as Markdown. */
export function tableOf(rows: readonly Row[]): string {
  const lines = rows.map(({ part, what, result, isSound }) => [
    part,
    what,
    cellOf(result),
    VERDICTS.get(isSound) ?? '',
  ]);
  const all = [['part', 'what', 'result', ''], ...lines];
  const widths = [0, 1, 2, 3].map((column) =>
    Math.max(3, ...all.map((line) => (line[column] ?? '').length)),
  );
  const print = (cells: readonly string[]): string =>
    `| ${cells.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(' | ')} |`;
  const rule = print(widths.map((width) => '-'.repeat(width)));
  const [head = [], ...body] = all;
  return [print(head), rule, ...body.map(print)].join('\n');
}
