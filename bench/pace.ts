/**
 * `npm run bench:pace`: how much of a rate limit the learned pace uses, and how many of its requests are
 * refused after the first minute, against CUBIC as in `DefaultRateLimiter` of `@smithy/util-retry`. Simulated time,
 * requests without end. Both obey Retry-After.
 */
import { SLOWEST, type PaceLimits } from '../src/activities/http/pace.js';
import { createCubicPacer } from '../test/support/http/cubic-pacer.js';
import {
  createLearningPacer,
  simulatePacers,
  type Pacer,
} from '../test/support/http/simulate-pacer.js';

const PER_SECOND = 10;
const MINUTE_MS = 60_000;
const LENGTH_MS = 60 * MINUTE_MS;
const PACES: Record<string, (limits: PaceLimits) => Pacer> = {
  learned: createLearningPacer,
  CUBIC: createCubicPacer,
};

interface Row {
  /** Processes that share the account. Each may use its part of the configured rate. */
  processes: number;
  /** Requests that the API takes at once after an idle time. */
  burst: number;
  perSecond: number;
}

/** Of a limit that takes one request at once, several processes hit each other's. */
const WORLDS = [
  { processes: 1, burst: 1 },
  { processes: 1, burst: 10 },
  { processes: 2, burst: 1 },
  { processes: 2, burst: 2 },
  { processes: 4, burst: 10 },
] as const;

const ROWS: Row[] = WORLDS.flatMap((world) =>
  [0.2, 1, 2, 5].map((perSecond) => ({ ...world, perSecond })),
);

function measure({ processes, ...api }: Row, create: (limits: PaceLimits) => Pacer): string[] {
  const limits = {
    ...{ perSecond: PER_SECOND / processes, slowest: SLOWEST / processes },
    maxPauseMs: 30_000,
  };
  const worlds = [true, false].flatMap((retryAfter) =>
    [30, 300].map((latencyMs) => ({ ...api, retryAfter, latencyMs, lateMs: 20 })),
  );
  const figures = worlds.map((world) => {
    const pacers = Array.from({ length: processes }, () => create(limits));
    const each = simulatePacers(pacers, { ...world, ms: LENGTH_MS, from: MINUTE_MS });
    const answered = sum(each.map((one) => one.answered));
    const refused = sum(each.map((one) => one.refused));
    const possible = ((LENGTH_MS - MINUTE_MS) / 1_000) * api.perSecond;
    return { used: answered / possible, refused: refused / (answered + refused) };
  });
  const used = figures.map((one) => one.used);
  const refused = figures.map((one) => one.refused);
  return [
    `${percent(sum(used) / used.length)} (${percent(Math.min(...used))})`,
    `${percent(sum(refused) / refused.length)} (${percent(Math.max(...refused))})`,
  ];
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}

function percent(share: number): string {
  return `${(100 * share).toFixed(1)} %`;
}

const lines = ROWS.flatMap((row) =>
  Object.entries(PACES).map(([name, create]) =>
    [row.processes, row.burst, `${row.perSecond}/s`, name, ...measure(row, create)].join('\t'),
  ),
);
const header = 'processes\tburst\tlimit\tpace\tused, mean (worst)\t429, mean (worst)';
process.stdout.write(`${[header, ...lines].join('\n')}\n`);
