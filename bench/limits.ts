/**
 * `npm run bench:limits -- [--minutes 20] [--limits 0.2,1,2,5] [--runs 1]`: each operation against an API that allows
 * fewer requests a second than the configured ten, in real time and with the policies of production. All
 * runs go at once, each with an account and a simulated cloud of its own.
 */
import { parseArgs } from 'node:util';

import { measureLimits, type CellFigures } from './limits/measure-limits.js';
import { withTemporal } from './with-temporal.js';

const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '20' },
    limits: { type: 'string', default: '0.2,1,2,5' },
    runs: { type: 'string', default: '1' },
  },
});

function toLine({ operation, perSecond, retryAfter, ...figures }: CellFigures): string {
  const { seconds, open, failures, requests, later } = figures;
  const isLimited = Number.isFinite(perSecond);
  return [
    operation,
    isLimited ? `${perSecond}/s` : 'none',
    isLimited && retryAfter ? 'yes' : 'no',
    open === 0 ? Math.round(seconds) : `${open} NOT ENDED`,
    requests,
    shareOf(figures),
    later.requests === 0 ? '-' : shareOf(later),
    ...failures.slice(0, 1).map((failure) => `${failures.length} FAILED: ${failure}`),
  ].join('\t');
}

function shareOf({ requests, refused }: { requests: number; refused: number }): string {
  return `${((100 * refused) / requests).toFixed(1)} % (${refused})`;
}

await withTemporal({ exactTimers: true }, async () => {
  const cells = await measureLimits({
    limits: values.limits.split(',').map(Number),
    runs: Number(values.runs),
    mostMs: Number(values.minutes) * 60_000,
    onCell: (figures) => process.stderr.write(`${toLine(figures)}\n`),
  });
  const header = 'operation\tlimit\tRetry-After\tseconds\trequests\t429\tafter the first minute';
  process.stdout.write(`${[header, ...cells.map(toLine)].join('\n')}\n`);
});
