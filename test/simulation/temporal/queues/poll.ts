import type { temporal } from '@temporalio/proto';

import type { CallContext } from '../base/requests.js';
import { toNumber } from '../base/values.js';
import type { Poll, Queue, QueueType } from '../model/queues.js';
import type { Server } from '../model/server.js';
import { addPoll, queueOf, removePoll, setRate } from './matching.js';

type Request =
  | temporal.api.workflowservice.v1.IPollWorkflowTaskQueueRequest
  | temporal.api.workflowservice.v1.IPollActivityTaskQueueRequest;

/** How much earlier an empty answer may come. */
const JITTER_MS = 2_500;

/** What a worker that says nothing of a rate is shown with. */
export const NO_RATE = 100_000;

/** Waits for a task of a queue, up to the time of a poll. Then the answer is empty. */
export function poll(
  server: Server,
  type: QueueType,
  { request, call }: { request: Request; call: CallContext },
): Promise<object> {
  const queue = queueOf(server, type, request.taskQueue?.name ?? '');
  const identity = request.identity ?? '';
  const rate = rateOf(request);
  setRate(server, queue, rate);
  seen(server, queue, { identity, rate: rate ?? NO_RATE });
  return new Promise((resolve) => {
    const end = (answer: object): void => {
      cancel();
      removePoll(queue, waiting);
      call.signal?.removeEventListener('abort', stop);
      seen(server, queue, { identity, rate: rate ?? NO_RATE });
      resolve(answer);
    };
    const stop = (): void => {
      end({});
    };
    const waiting: Poll = {
      identity,
      queue: queue.name,
      taken: () => {
        cancel();
      },
      answer: end,
    };
    const wait = server.limits.pollMs - server.draw.number(0, JITTER_MS);
    const cancel = server.clock.after(Math.max(0, wait), stop);
    if (call.signal?.aborted === true) stop();
    else {
      call.signal?.addEventListener('abort', stop, { once: true });
      addPoll(server, queue, waiting);
    }
  });
}

function seen(
  server: Server,
  queue: Queue,
  { identity, rate }: { identity: string; rate: number },
): void {
  const at = server.clock.now();
  queue.lastPolledAt = at;
  queue.pollers.set(identity, { at, rate });
}

function rateOf(request: Request): number | undefined {
  if (!('taskQueueMetadata' in request)) return undefined;
  const value = request.taskQueueMetadata?.maxTasksPerSecond?.value;
  return value === null || value === undefined ? undefined : toNumber(value);
}
