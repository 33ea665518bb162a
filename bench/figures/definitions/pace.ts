import { measurePaces, PACE_ROWS } from '../../pace/measure-pace.js';
import type { FigureDefinition } from '../definition.js';

export const pace: FigureDefinition = {
  id: 'pace',
  title: 'The learned pace',
  about: `How much of an API's limit a worker uses, and how many of its requests are answered 429 after the first minute, when ten requests a second are
configured and the API allows fewer. Beside it CUBIC, a copy of \`DefaultRateLimiter\` of \`@smithy/util-retry\`. An hour of simulated time with requests without end; the mean over
APIs with and without \`Retry-After\` and with 30 and 300 ms of latency. *At once* is how many requests the API takes after an idle time: one is the worst case, because
processes that share an account do not know when the other one sends. This figure is the same on every machine.`,
  columns: [
    { key: 'world', title: 'processes / at once / API allows a second' },
    { key: 'pace', title: 'pace' },
    { key: 'used', title: 'used', unit: '%' },
    { key: 'usedWorst', title: 'used at worst', unit: '%' },
    { key: 'refused', title: 'refused', unit: '%' },
    { key: 'refusedWorst', title: 'refused at worst', unit: '%' },
  ],
  chart: { kind: 'bar', x: 'world', series: 'pace', panels: [['used'], ['refused']] },
  parts: ['all'],
  minutes: 1,
  measure: () =>
    Promise.resolve({
      rows: PACE_ROWS.flatMap((row) =>
        measurePaces(row).map(({ pace: name, used, refused }) => ({
          world: `${row.processes} / ${row.burst} / ${row.perSecond}`,
          pace: name,
          used: 100 * used.mean,
          usedWorst: 100 * used.worst,
          refused: 100 * refused.mean,
          refusedWorst: 100 * refused.worst,
        })),
      ),
    }),
};
