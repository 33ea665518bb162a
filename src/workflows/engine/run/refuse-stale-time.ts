import type { WorkflowInterceptors } from '@temporalio/workflow';

import { ASK_AGAIN } from '../../../contract/names.js';

type Activation = Parameters<
  NonNullable<NonNullable<WorkflowInterceptors['internals']>[number]['activate']>
>[0]['activation'];
type Job = NonNullable<Activation['jobs']>[number];

/**
 * Refuses to let a run see an event at the time of the event before it.
 *
 * A query that no worker answered for a while comes with all events since, also with those that no
 * workflow task has shown to the run yet. The SDK applies them for the query, at the time of the
 * last workflow task, and keeps the run in its cache in that state: what the run then decides by
 * the time (a grace that is over, a deadline) it decides otherwise on replay, and stays stuck.
 * Refused, the query fails, the run leaves the cache, and its workflow task sees the event in its
 * own time. Seen with SDK 1.24.0 after the crash of a worker; see docs/decisions/0012.
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

/** For whoever asked: asking again helps. */
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

/** What only an event of the history says. A cancelled call may also be over within its workflow task. */
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
