import { performance } from 'node:perf_hooks';

import proto from '@temporalio/proto';

import type { CutShortDeps } from './cut-short.js';

/** The queue of watches, as the Temporal server sees it. */
export interface WatchQueue {
  /** When it was last polled, as a text that changes with each poll; empty when never. */
  lastPoll: string;
  /** How long the oldest watch has waited for a worker; 0 when none waits, or when the server does not say. */
  waitingMs: number;
}

const { TASK_QUEUE_TYPE_ACTIVITY } = proto.temporal.api.enums.v1.TaskQueueType;

/** The server itself looks every 5 s. A run gives up a watch that nobody takes after 30 s. */
const ASK_EVERY_MS = 4_000;
const JITTER = 0.5;
const ANSWER_WITHIN_MS = 4_000;
/** A watch that begins waits for no time at all. */
const LEFT_AFTER_MS = 2_000;

/**
 * Tells whether watches wait that nobody takes. As with peers, nobody waits for the answer; it is given once.
 * A process that has begun to take them polls, so that hardly two of them begin at a time.
 */
export function createLeftWatches(
  look: () => Promise<WatchQueue>,
  everyMs = ASK_EVERY_MS,
): () => boolean {
  let askAt = 0;
  let lastPoll: string | undefined;
  let areLeft = false;
  const ask = async (): Promise<void> => {
    const queue = await look();
    areLeft = queue.waitingMs >= LEFT_AFTER_MS && queue.lastPoll === lastPoll;
    lastPoll = queue.lastPoll;
  };
  return () => {
    const now = performance.now();
    if (now >= askAt) {
      askAt = now + everyMs * (1 + Math.random() * JITTER);
      ask().catch(() => undefined);
    }
    const found = areLeft;
    areLeft = false;
    return found;
  };
}

/** Asks the Temporal server. */
export async function lookAtQueue(
  { connection, namespace }: CutShortDeps,
  taskQueue: string,
): Promise<WatchQueue> {
  const { pollers, stats } = await connection.withDeadline(Date.now() + ANSWER_WITHIN_MS, () =>
    connection.workflowService.describeTaskQueue({
      namespace,
      taskQueue: { name: taskQueue },
      taskQueueType: TASK_QUEUE_TYPE_ACTIVITY,
      reportStats: true,
    }),
  );
  const polls = pollers.map(
    ({ lastAccessTime: at }) => Number(at?.seconds) * 1e9 + (at?.nanos ?? 0),
  );
  const { seconds, nanos } = stats?.approximateBacklogAge ?? {};
  const isEmpty = Number(stats?.approximateBacklogCount ?? 0) === 0;
  return {
    lastPoll: polls.length === 0 ? '' : String(Math.max(...polls)),
    waitingMs: isEmpty ? 0 : Number(seconds ?? 0) * 1_000 + (nanos ?? 0) / 1e6,
  };
}
