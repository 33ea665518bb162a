import { measureLimits, type CellFigures } from '../../limits/measure-limits.js';
import { withTemporal } from '../../with-temporal.js';
import type { FigureDefinition } from '../definition.js';
import type { FigureRow, Measured } from '../document/figure.js';

const PLANS = {
  full: { limits: [0.2, 1, 2, 5], runs: 1, mostMs: 20 * 60_000 },
  quick: { limits: [5], runs: 1, mostMs: 2 * 60_000 },
} as const;

export const limits: FigureDefinition = {
  id: 'limits',
  title: 'Operations against a small limit',
  about: `Each operation against an API that allows 0.2 to 5 requests a second, although ten are configured, and against one without a limit.
In real time, with the waits and policies of production, all at the same time, each with an account of its own; half of them with \`Retry-After\`. A client that
gives up after its few retries fails here.`,
  columns: [
    { key: 'operation', title: 'operation' },
    { key: 'limit', title: 'limit' },
    { key: 'retryAfter', title: 'Retry-After' },
    { key: 'seconds', title: 'start to end', unit: 's' },
    { key: 'requests', title: 'requests' },
    { key: 'refused', title: 'of these 429', unit: '%' },
    { key: 'later', title: '429 after the first minute', unit: '%' },
  ],
  chart: { kind: 'bar', x: 'operation', series: 'limit', panels: [['seconds'], ['refused']] },
  parts: ['all operations'],
  minutes: 2,
  async measure(_, size) {
    let measured: Measured = { rows: [] };
    await withTemporal({ exactTimers: true }, async () => {
      const cells = await measureLimits(PLANS[size]);
      const wrong = cells.filter(({ open, failures }) => open > 0 || failures.length > 0);
      measured = {
        rows: cells.map(toRow),
        checks: [{ promise: 'Every run succeeds', kept: wrong.length === 0 }],
      };
    });
    return measured;
  },
};

function toRow({ operation, perSecond, retryAfter, ...figures }: CellFigures): FigureRow {
  const { seconds, open, requests, refused, later } = figures;
  const isLimited = Number.isFinite(perSecond);
  return {
    operation,
    limit: isLimited ? `${perSecond}/s` : 'none',
    retryAfter: isLimited && retryAfter ? 'yes' : 'no',
    seconds: open > 0 ? null : seconds,
    requests,
    refused: (100 * refused) / requests,
    later: later.requests === 0 ? null : (100 * later.refused) / later.requests,
  };
}
