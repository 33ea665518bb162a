import { z } from 'zod';

import { SLOWEST, type PaceLimits } from '../../src/engine/http/pace.js';
import { createCubicPacer } from '../../test/support/http/cubic-pacer.js';
import {
  createLearningPacer,
  simulatePacers,
  type Pacer,
} from '../../test/support/http/simulate-pacer.js';
import { defineBench } from '../bench.js';
import type { FigureRow } from '../document/figure.js';
import { sumOf } from '../statistics.js';

const PER_SECOND = 10;
const MINUTE_MS = 60_000;
const LENGTH_MS = 60 * MINUTE_MS;
const PACES: Record<string, (limits: PaceLimits) => Pacer> = {
  learned: createLearningPacer,
  CUBIC: createCubicPacer,
};

/** Processes of one account, and an API that limits them. */
interface World {
  /** Processes that share the account. Each may use its part of the configured rate. */
  processes: number;
  /** Requests that the API takes at once after an idle time. */
  burst: number;
  perSecond: number;
}

/** Of a limit that takes one request at once, several processes hit each other's. */
const WORLDS: readonly World[] = [
  { processes: 1, burst: 1 },
  { processes: 1, burst: 10 },
  { processes: 2, burst: 1 },
  { processes: 2, burst: 2 },
  { processes: 4, burst: 10 },
].flatMap((world) => [0.2, 1, 2, 5].map((perSecond) => ({ ...world, perSecond })));

export const pace = defineBench({
  id: 'pace',
  title: 'The learned pace',
  summary:
    'how much of a rate limit the learned pace uses, and how much of it is refused, beside CUBIC',
  minutes: 1,
  columns: [
    { key: 'world', title: 'processes / at once / API allows a second' },
    { key: 'pace', title: 'pace' },
    { key: 'used', title: 'used', unit: '%' },
    { key: 'usedWorst', title: 'used at worst', unit: '%' },
    { key: 'refused', title: 'refused', unit: '%' },
    { key: 'refusedWorst', title: 'refused at worst', unit: '%' },
  ],
  page: {
    about: `How much of an API's limit a worker uses, and how many of its requests are answered 429 after the first minute, when ten requests a second are
configured and the API allows fewer. Beside it CUBIC, a copy of \`DefaultRateLimiter\` of \`@smithy/util-retry\`. An hour of simulated time with requests without end; the mean over
APIs with and without \`Retry-After\` and with 30 and 300 ms of latency. *At once* is how many requests the API takes after an idle time: one is the worst case, because
processes that share an account do not know when the other one sends. This figure is the same on every machine.`,
    chart: { kind: 'bar', x: 'world', series: 'pace', panels: [['used'], ['refused']] },
  },
  settings: z.strictObject({}),
  parts: { all: {} },
  measure: () =>
    Promise.resolve({
      rows: WORLDS.flatMap((world) =>
        Object.entries(PACES).map(([name, create]) => measurePace(world, name, create)),
      ),
    }),
});

/** In percent, over APIs that differ in their latency and in Retry-After. */
function measurePace(
  { processes, ...api }: World,
  name: string,
  create: (limits: PaceLimits) => Pacer,
): FigureRow {
  const limits = {
    perSecond: PER_SECOND / processes,
    slowest: SLOWEST / processes,
    maxPauseMs: 30_000,
  };
  const worlds = [true, false].flatMap((retryAfter) =>
    [30, 300].map((latencyMs) => ({ ...api, retryAfter, latencyMs, lateMs: 20 })),
  );
  const shares = worlds.map((world) => {
    const pacers = Array.from({ length: processes }, () => create(limits));
    const each = simulatePacers(pacers, { ...world, ms: LENGTH_MS, from: MINUTE_MS });
    const answered = sumOf(each.map((one) => one.answered));
    const refused = sumOf(each.map((one) => one.refused));
    const possible = ((LENGTH_MS - MINUTE_MS) / 1_000) * api.perSecond;
    return { used: (100 * answered) / possible, refused: (100 * refused) / (answered + refused) };
  });
  const used = shares.map((one) => one.used);
  const refused = shares.map((one) => one.refused);
  return {
    world: `${processes} / ${api.burst} / ${api.perSecond}`,
    pace: name,
    used: sumOf(used) / used.length,
    usedWorst: Math.min(...used),
    refused: sumOf(refused) / refused.length,
    refusedWorst: Math.max(...refused),
  };
}
