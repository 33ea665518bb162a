/**
 * `npm run bench:soak [-- --minutes 120] [--per-minute 20] [--faults 0.05]`: worker and gateway carry out runs for hours while
 * requests to the API fail. Prints memory, failed runs, duplicates and differences of ledgers. Two hours or more
 * become the figure "Soak" of docs/figures.md; a shorter soak is written to .cache/figures.
 */
import { parseArgs } from 'node:util';

import { measureSoakFigure, soak, SOAK_PART } from './figures/definitions/soak.js';
import { createFigureStore } from './figures/document/figure-store.js';
import { FIGURES } from './figures/index.js';
import { conditionsAfter, conditionsBefore, measuredCommit } from './figures/run/conditions.js';
import { currentFigure, withMeasured } from './figures/run/update-figure.js';

const PUBLISHED_MINUTES = 120;

const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '120' },
    'per-minute': { type: 'string', default: '20' },
    faults: { type: 'string', default: '0.05' },
  },
});
const minutes = Number(values.minutes);

const [before, commit] = [conditionsBefore(), measuredCommit()];
const measured = await measureSoakFigure({
  minutes,
  perMinute: Number(values['per-minute']),
  faults: Number(values.faults),
  onProgress: (text) => process.stderr.write(`${text}\n`),
});
const conditions = conditionsAfter(before, commit);
const store = createFigureStore(minutes < PUBLISHED_MINUTES ? '.cache/figures' : 'docs');
const figure = currentFigure(soak, store.read(soak.id));
await store.write(withMeasured(figure, SOAK_PART, { measured, conditions }));
await store.render(FIGURES.map((each) => currentFigure(each, store.read(each.id))));
const checks = measured.checks ?? [];
const lines = [
  ...(measured.remarks ?? []),
  ...checks.map(({ promise, kept }) => `${promise}: ${kept ? 'kept' : 'BROKEN'}`),
  store.page,
];
process.stdout.write(`${lines.join('\n')}\n`);
process.exitCode = checks.every(({ kept }) => kept) ? 0 : 1;
