/** Measures one part of one bench for `run-part.ts`: `measure-part.js ID PART full|quick SETTINGS FILE`. */
import { writeFileSync } from 'node:fs';

import { z } from 'zod';

import { BENCHES } from './benches.js';
import { parseMeasured } from './document/figure.js';

const [id, part = '', size, given = '{}', file = ''] = process.argv.slice(2);
const bench = BENCHES.find((each) => each.id === id);
if (bench === undefined || file === '') throw new Error(`No bench ${id ?? ''}`);

try {
  const settings = z.record(z.string(), z.string()).parse(JSON.parse(given));
  const measured = await bench.measure(part, size === 'quick' ? 'quick' : 'full', settings);
  // What is no number, such as a percentile of nothing, becomes `null`: there is no such value.
  const text = JSON.stringify(measured);
  parseMeasured(JSON.parse(text));
  writeFileSync(file, text);
} catch (error) {
  const { message: reason, stack = reason } =
    error instanceof Error ? error : new Error(String(error));
  process.stderr.write(`${stack}\n`);
  writeFileSync(file, JSON.stringify({ reason }));
}
// A worker that was stopped in the middle may hold the process.
process.exit();
