/**
 * `npm run bench:all [-- --only ID,ID] [--part PART] [--quick] [--again] [--list] [--server-label NAME]`: measures the figures of
 * docs/figures.md, each part in a process of its own with a Temporal server of its own, and writes the page.
 * `--part` measures only this part of them, such as `--only waiting --part 5000`.
 * What was measured on this commit is skipped, so an interrupted run continues; `--again` measures it once more.
 * `--quick` tries everything in small and writes to .cache/figures. With TEMPORAL_ADDRESS, the figures per server
 * are measured on that server, under the name `--server-label`.
 */
import { parseArgs } from 'node:util';

import { createFigureStore } from './figures/document/figure-store.js';
import { FIGURES } from './figures/index.js';
import { measureFigures } from './figures/run/measure-figures.js';

const { values } = parseArgs({
  options: {
    only: { type: 'string' },
    part: { type: 'string' },
    quick: { type: 'boolean', default: false },
    again: { type: 'boolean', default: false },
    list: { type: 'boolean', default: false },
    'server-label': { type: 'string' },
  },
});

const known = FIGURES.filter(({ apart }) => apart !== true);
const wanted = values.only?.split(',') ?? known.map(({ id }) => id);
const unknown = wanted.filter((id) => !known.some((figure) => figure.id === id));
if (unknown.length > 0) {
  process.stderr.write(
    `No figure ${unknown.join(', ')}: choose of ${known.map(({ id }) => id).join(', ')}\n`,
  );
  process.exit(64);
}
const chosen = known.filter(({ id }) => wanted.includes(id));
if (values.list) {
  for (const { id, minutes, title } of chosen)
    process.stdout.write(`${id}\t${minutes} min\t${title}\n`);
  process.exit();
}

const { part } = values;
const named = chosen.flatMap(({ parts }) => (parts === 'per server' ? [] : parts));
if (part !== undefined && !named.includes(part)) {
  process.stderr.write(`No part ${part}: choose of ${named.join(', ')}\n`);
  process.exit(64);
}

const label = values['server-label'];
if (process.env['TEMPORAL_ADDRESS'] !== undefined && label === undefined) {
  process.stderr.write('TEMPORAL_ADDRESS is set: name its server with --server-label\n');
  process.exit(64);
}
const store = createFigureStore(values.quick ? '.cache/figures' : 'docs');
const failures = await measureFigures(chosen, {
  store,
  all: FIGURES,
  size: values.quick ? 'quick' : 'full',
  again: values.again || values.quick,
  server: label ?? 'development server',
  part,
});
process.stdout.write(`${store.page}\n`);
process.exitCode = failures === 0 ? 0 : 1;
