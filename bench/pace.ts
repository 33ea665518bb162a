/**
 * `npm run bench:pace`: how much of a rate limit the learned pace uses, and how many of its requests are
 * refused after the first minute, against CUBIC as in `DefaultRateLimiter` of `@smithy/util-retry`. Simulated time,
 * requests without end. Both obey Retry-After.
 */
import { measurePaces, PACE_ROWS } from './pace/measure-pace.js';

function percent(share: number): string {
  return `${(100 * share).toFixed(1)} %`;
}

const lines = PACE_ROWS.flatMap((row) =>
  measurePaces(row).map(({ pace, used, refused }) =>
    [
      ...[row.processes, row.burst, `${row.perSecond}/s`, pace],
      `${percent(used.mean)} (${percent(used.worst)})`,
      `${percent(refused.mean)} (${percent(refused.worst)})`,
    ].join('\t'),
  ),
);
const header = 'processes\tburst\tlimit\tpace\tused, mean (worst)\t429, mean (worst)';
process.stdout.write(`${[header, ...lines].join('\n')}\n`);
