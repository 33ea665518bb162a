import { readdirSync, readFileSync } from 'node:fs';

import { tableOf, withGeneratedParts, type Row } from './generated-part.js';

const FOLDER = 'docs/decisions';

/** The list of the decisions, and the numbers that none of them has. */
export function decisionsPage(page: string): string {
  const names = readdirSync(FOLDER).filter((name) => /^\d{4}-/.test(name));
  const numbers = names.map((name) => Number(name.slice(0, 4)));
  const unused = Array.from({ length: Math.max(...numbers) }, (_, at) => at + 1).filter(
    (number) => !numbers.includes(number),
  );
  const rows = names.sort().map((name): Row => [name.slice(0, 4), `[${titleOf(name)}](${name})`]);
  return withGeneratedParts(
    page,
    `${tableOf([['Number', 'Decision'], ...rows])}\n\nNo decision has the number ${unused.join(', ')}.`,
  );
}

function titleOf(name: string): string {
  const [title] = readFileSync(`${FOLDER}/${name}`, 'utf8').split('\n');
  if (title?.startsWith('# ') !== true) throw new Error(`${name} does not begin with its title`);
  return title.slice('# '.length);
}
