import { randomUUID } from 'node:crypto';
import { performance } from 'node:perf_hooks';
import { setTimeout as delay } from 'node:timers/promises';

import proto from '@temporalio/proto';

import type { CutShortDeps } from '../cut-short.js';
import { latest } from './ask-queue.js';

const { TASK_QUEUE_TYPE_ACTIVITY } = proto.temporal.api.enums.v1.TaskQueueType;

/** The clock of the Temporal server, as seen from this machine. */
export interface ServerClock {
  /** How far this machine is ahead of the server, in milliseconds; `undefined` as long as nobody knows. */
  skewMs: () => number | undefined;
  /** Measures again when the last time is old. Nobody waits for it. */
  measure: () => void;
}

/** Nobody ever puts a task into it. */
const QUEUE = 'gcore-clock';
const AGAIN_MS = 60_000;
/** The server refuses a poll of less than two seconds. */
const POLL_MS = 2_600;
const LOOK_AFTER_MS = 50;
const MAX_LOOKS = 8;

/**
 * The API of Temporal has no call for the time. But a server notes when it was polled: this polls a queue that
 * is always empty, and reads that note. It is right to a round trip.
 */
export function createServerClock(deps: CutShortDeps): ServerClock {
  let skewMs: number | undefined;
  let measuredAt = -Infinity;
  return {
    skewMs: () => skewMs,
    measure: () => {
      if (performance.now() - measuredAt < AGAIN_MS) return;
      measuredAt = performance.now();
      measureOnce(deps)
        .then((measured) => {
          skewMs = measured ?? skewMs;
        })
        // What is known goes on to hold.
        .catch(() => undefined);
    },
  };
}

async function measureOnce(deps: CutShortDeps): Promise<number | undefined> {
  const identity = `clock/${randomUUID()}`;
  const polledAt = Date.now();
  // It ends without a task, or is cut off.
  poll(deps, identity).catch(() => undefined);
  for (let looks = 0; looks < MAX_LOOKS; looks++) {
    await delay(LOOK_AFTER_MS * 2 ** looks, undefined, { ref: false });
    const notedAt = await readNote(deps, identity);
    if (notedAt !== undefined) return polledAt - notedAt;
  }
  return undefined;
}

async function poll({ connection, namespace }: CutShortDeps, identity: string): Promise<void> {
  await connection.withDeadline(Date.now() + POLL_MS, () =>
    connection.workflowService.pollActivityTaskQueue({
      namespace,
      identity,
      taskQueue: { name: QUEUE },
    }),
  );
}

async function readNote(
  { connection, namespace }: CutShortDeps,
  identity: string,
): Promise<number | undefined> {
  const { pollers } = await connection.withDeadline(Date.now() + POLL_MS, () =>
    connection.workflowService.describeTaskQueue({
      namespace,
      taskQueue: { name: QUEUE },
      taskQueueType: TASK_QUEUE_TYPE_ACTIVITY,
    }),
  );
  return latest(pollers.filter((poller) => poller.identity === identity));
}
