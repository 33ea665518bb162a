/** Measures one part of one figure, for `npm run bench:all`: `measure-part.js ID PART full|quick FILE`. */
import { writeFileSync } from 'node:fs';

import { parseMeasured } from './figures/document/figure.js';
import { FIGURES } from './figures/index.js';

const [id, part = '', size, file = ''] = process.argv.slice(2);
const definition = FIGURES.find((figure) => figure.id === id);
if (definition === undefined || file === '') throw new Error(`No figure ${id ?? ''}`);

try {
  const measured = await definition.measure(part, size === 'quick' ? 'quick' : 'full');
  writeFileSync(file, JSON.stringify(parseMeasured(measured)));
} catch (error) {
  process.stderr.write(
    `${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`,
  );
  writeFileSync(
    file,
    JSON.stringify({ reason: error instanceof Error ? error.message : String(error) }),
  );
}
// A worker that was stopped in the middle may hold the process.
process.exit();
