import { defaultPayloadConverter, type WorkflowInterceptors } from '@temporalio/workflow';

import { ASK_AGAIN, type EndedQuery } from '../core/names.js';

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
 * This interceptor holds the events back and fails the query: the run leaves the cache, and its workflow task sees the
 * event at the right time. Seen with SDK 1.24.0 after the crash of a worker; see docs/decisions/0012.
 *
 * A run that has ended, terminated between an answer and its workflow task, gets no such task any more. It answers
 * who says so as its last workflow task left it.
 */
export function interceptors(): WorkflowInterceptors {
  let seen: string | undefined;
  let isAhead = false;
  return {
    internals: [
      {
        activate(input, next) {
          const { activation, batchIndex } = input;
          const time = timeOf(activation);
          const isStale = time === seen;
          isAhead ||= batchIndex === 0 && isStale && isNews(activation);
          seen = time;
          // What has been held back never comes again: this state is for no workflow task, and for no other query.
          if (isAhead && (isQuery(activation) ? !isOfEnded(activation) : !isStale))
            throw new StaleTimeError();
          if (!isAhead || isQuery(activation)) next(input);
        },
      },
    ],
  };
}

/** Temporal puts queries into activations of their own. */
function isQuery({ jobs }: Activation): boolean {
  return (jobs ?? []).some(({ queryWorkflow }) => Boolean(queryWorkflow));
}

function isOfEnded({ jobs }: Activation): boolean {
  return (jobs ?? []).every(({ queryWorkflow }) => {
    const [payload] = queryWorkflow?.arguments ?? [];
    if (!payload) return false;
    const said = defaultPayloadConverter.fromPayload<Partial<EndedQuery> | null>(payload);
    return said?.ended === true;
  });
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

/** Only a history event causes such a job. */
function isFromHistory(job: Job): boolean {
  const { fireTimer, signalWorkflow, cancelWorkflow, resolveRequestCancelExternalWorkflow } = job;
  const isTold =
    fireTimer ?? signalWorkflow ?? cancelWorkflow ?? resolveRequestCancelExternalWorkflow;
  return Boolean(isTold) || isAnswer(job) || isSent(job);
}

/** A cancelled call or child may also end within its workflow task, and a local activity always does. */
function isAnswer(job: Job): boolean {
  if (job.resolveActivity?.isLocal === true) return false;
  const { result } = job.resolveActivity ?? job.resolveChildWorkflowExecution ?? {};
  return Boolean(result?.completed ?? result?.failed);
}

function isSent({ resolveChildWorkflowExecutionStart: start, ...job }: Job): boolean {
  const signal = job.resolveSignalExternalWorkflow;
  const isSignalled = Boolean(signal) && !signal?.failure?.canceledFailureInfo;
  return isSignalled || Boolean(start?.succeeded ?? start?.failed);
}
