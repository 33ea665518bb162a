import { performance } from 'node:perf_hooks';

import type { CutShortDeps } from '../cut-short.js';
import { askQueue, type QueueToAsk, type SeenPollers } from './ask-queue.js';
import { createServerClock, type ServerClock } from './server-clock.js';

/** What the Temporal server said about the queues of this process, and when. */
export interface Looks {
  /** Asks again when the last answer is old. However many ask, the server is asked once. */
  look: () => Promise<void>;
  /** Milliseconds since the server last answered; `undefined` when it never did. */
  sinceAnswerMs: () => number | undefined;
  /** Why the last question failed. */
  trouble: () => string | undefined;
  /** The pollers of each queue in the last answer. */
  seen: () => ReadonlyMap<string, SeenPollers>;
  clock: ServerClock;
}

/** However often readiness is asked for. */
const FRESH_MS = 5_000;

export function createLooks(deps: CutShortDeps, queues: () => readonly QueueToAsk[]): Looks {
  const clock = createServerClock(deps);
  const seen = new Map<string, SeenPollers>();
  let underWay: Promise<void> | undefined;
  let [askedAt, answeredAt] = [-Infinity, -Infinity];
  let trouble: string | undefined;

  const ask = async (): Promise<void> => {
    askedAt = performance.now();
    try {
      const asked = queues();
      const found = await Promise.all(asked.map((queue) => askQueue(deps, queue)));
      for (const [at, { taskQueue }] of asked.entries()) {
        const pollers = found[at];
        if (pollers !== undefined) seen.set(taskQueue, pollers);
      }
      answeredAt = performance.now();
      trouble = undefined;
      clock.measure();
    } catch (error) {
      trouble = error instanceof Error ? error.message : String(error);
    }
  };
  return {
    look: async () => {
      if (underWay === undefined && performance.now() - askedAt < FRESH_MS) return;
      underWay ??= ask().finally(() => {
        underWay = undefined;
      });
      await underWay;
    },
    sinceAnswerMs: () =>
      answeredAt === -Infinity ? undefined : Math.round(performance.now() - answeredAt),
    trouble: () => trouble,
    seen: () => seen,
    clock,
  };
}
