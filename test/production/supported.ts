import { readdirSync, readFileSync } from 'node:fs';

import type { Row } from './report.js';

/** Whether this version of the product reads a variable. A part that needs one which it does not is left out, and says so. */
export function reads(variable: string): boolean {
  const files = ['src/config.ts', ...readdirSync('src/config').map((name) => `src/config/${name}`)];
  return files.some((file) => readFileSync(file, 'utf8').includes(variable));
}

export function leftOut(part: string, what: string, variable: string): Row {
  return { part, what, result: `left out: this version does not read ${variable}` };
}
