import { SLOWEST, type PaceLimits } from '../../src/engine/http/pace.js';
import { createCubicPacer } from '../../test/support/http/cubic-pacer.js';
import {
  createLearningPacer,
  simulatePacers,
  type Pacer,
} from '../../test/support/http/simulate-pacer.js';

const PER_SECOND = 10;
const MINUTE_MS = 60_000;
const LENGTH_MS = 60 * MINUTE_MS;
const PACES: Record<string, (limits: PaceLimits) => Pacer> = {
  learned: createLearningPacer,
  CUBIC: createCubicPacer,
};

/** Processes of one account, and an API that limits them. */
export interface PaceRow {
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

export const PACE_ROWS: readonly PaceRow[] = WORLDS.flatMap((world) =>
  [0.2, 1, 2, 5].map((perSecond) => ({ ...world, perSecond })),
);

/** Shares from 0 to 1, over APIs that differ in their latency and in Retry-After. */
export interface PaceFigures {
  pace: string;
  /** Of the requests that the API allows, after the first minute. */
  used: { mean: number; worst: number };
  /** Of the requests that were sent, after the first minute. */
  refused: { mean: number; worst: number };
}

/** Measures one row with the learned pace, then with CUBIC. */
export function measurePaces(row: PaceRow): PaceFigures[] {
  return Object.entries(PACES).map(([pace, create]) => ({ pace, ...measure(row, create) }));
}

function measure(
  { processes, ...api }: PaceRow,
  create: (limits: PaceLimits) => Pacer,
): Omit<PaceFigures, 'pace'> {
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
  return {
    used: { mean: sum(used) / used.length, worst: Math.min(...used) },
    refused: { mean: sum(refused) / refused.length, worst: Math.max(...refused) },
  };
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
