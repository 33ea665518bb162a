import type { WorkflowInterceptors } from '@temporalio/workflow';

import { ASK_AGAIN } from '../core/names.js';

type Activation = Parameters<
  NonNullable<NonNullable<WorkflowInterceptors['internals']>[number]['activate']>
>[0]['activation'];
type Job = NonNullable<Activation['jobs']>[number];

/**
 * Prevents a run from seeing an event at the time of the event before it.
 *
 * A query that no worker answered for a while arrives with all events since then, including those that
 * no workflow task has shown to the run yet. The SDK applies them for the query, at the time of the
 * last workflow task, and keeps the run in its cache in that state. When the run then decides by the
 * time (a grace time is over, a deadline has passed), it decides differently on replay and stays stuck.
 * This interceptor fails the query instead: the run leaves the cache, and its workflow task sees the
 * event at the right time. Seen with SDK 1.24.0 after the crash of a worker; see docs/decisions/0012.
 */
export function interceptors(): WorkflowInterceptors {
  let seen: string | undefined;
  return {
    internals: [
      {
        activate(input, next) {
          const { activation, batchIndex } = input;
          const time = timeOf(activation);
          const isStale = batchIndex === 0 && time === seen && isNews(activation);
          if (isStale) throw new StaleTimeError();
          seen = time;
          next(input);
        },
      },
    ],
  };
}

/** The caller of the query should ask again. */
class StaleTimeError extends Error {
  constructor() {
    super(ASK_AGAIN);
    this.name = 'StaleTimeError';
  }
}

function timeOf({ timestamp }: Activation): string | undefined {
  if (timestamp === undefined || timestamp === null) return undefined;
  return `${String(timestamp.seconds)}.${String(timestamp.nanos)}`;
}

function isNews({ isReplaying, jobs }: Activation): boolean {
  return isReplaying !== true && (jobs ?? []).some(isFromHistory);
}

/** Only a history event causes such a job. A cancelled call may also end within its workflow task. */
function isFromHistory({
  fireTimer,
  signalWorkflow,
  cancelWorkflow,
  resolveActivity,
}: Job): boolean {
  const { isLocal, result } = resolveActivity ?? {};
  const isAnswered = isLocal !== true && Boolean(result?.completed ?? result?.failed);
  return Boolean(fireTimer ?? signalWorkflow ?? cancelWorkflow) || isAnswered;
}
