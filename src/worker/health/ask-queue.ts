import proto from '@temporalio/proto';

import type { CutShortDeps } from '../cut-short.js';

const { TASK_QUEUE_TYPE_ACTIVITY, TASK_QUEUE_TYPE_WORKFLOW } =
  proto.temporal.api.enums.v1.TaskQueueType;

/** A queue that a worker of this process polls. */
export interface QueueToAsk {
  taskQueue: string;
  identity: string;
  type: 'workflow' | 'activity';
}

export interface SeenPollers {
  /** When this process last polled, by the clock of the server, in milliseconds since the epoch. */
  ownPollAt: number | undefined;
  /** When anybody last polled. */
  newestPollAt: number | undefined;
  /** Number of processes that poll. */
  processes: number;
}

/** Below the patience of those who ask for readiness. */
const ANSWER_WITHIN_MS = 3_000;

export async function askQueue(
  { connection, namespace }: CutShortDeps,
  { taskQueue, identity, type }: QueueToAsk,
): Promise<SeenPollers> {
  const { pollers } = await connection.withDeadline(Date.now() + ANSWER_WITHIN_MS, () =>
    connection.workflowService.describeTaskQueue({
      namespace,
      taskQueue: { name: taskQueue },
      taskQueueType: type === 'workflow' ? TASK_QUEUE_TYPE_WORKFLOW : TASK_QUEUE_TYPE_ACTIVITY,
    }),
  );
  const own = pollers.filter((poller) => poller.identity === identity);
  return {
    ownPollAt: latest(own),
    newestPollAt: latest(pollers),
    processes: new Set(pollers.map((poller) => poller.identity)).size,
  };
}

interface Poller {
  lastAccessTime?: { seconds?: unknown; nanos?: number | null } | null;
}

export function latest(pollers: readonly Poller[]): number | undefined {
  const times = pollers.map(
    ({ lastAccessTime: at }) => Number(at?.seconds ?? 0) * 1_000 + (at?.nanos ?? 0) / 1e6,
  );
  return times.length === 0 ? undefined : Math.max(...times);
}
