import {
  proxySinks,
  workflowInfo,
  type Sinks,
  type WorkflowInterceptors,
} from '@temporalio/workflow';

import { TRACE_SINK, type RunSpan } from '../core/trace-span.js';
import { createRunTrace } from './run-trace.js';

interface TraceSinks extends Sinks {
  [TRACE_SINK]: { end: (span: RunSpan) => void };
}

/**
 * Carries the trace of whoever started a run on to its activities and children, and tells the worker how long
 * each took. A run that came without a trace is left alone.
 *
 * The interceptors of `@temporalio/interceptors-opentelemetry` await what they pass on, and draw random numbers.
 * Both may change the order of commands, and a run may be open while its caller or its worker begins to trace.
 * These here hand on the promises themselves and count their ids: a history is the same with and without them. See
 * docs/decisions/0030.
 */
export function interceptors(): WorkflowInterceptors {
  const trace = createRunTrace({
    runId: () => workflowInfo().runId,
    tell: (span) => {
      const { workflowId, runId, workflowType, historyLength, unsafe } = workflowInfo();
      if (unsafe.isReplaying) return;
      proxySinks<TraceSinks>()[TRACE_SINK].end({
        ...span,
        attributes: {
          temporalWorkflowId: workflowId,
          run_id: runId,
          'temporal.workflow_type': workflowType,
          'temporal.history_length': historyLength,
        },
      });
    },
  });
  return {
    inbound: [
      {
        execute: (input, next) =>
          trace.run(`RunWorkflow:${workflowInfo().workflowType}`, input.headers, () => next(input)),
        handleUpdate: (input, next) => trace.update(input, () => next(input)),
      },
    ],
    outbound: [
      {
        scheduleActivity: (input, next) =>
          trace.call(`StartActivity:${input.activityType}`, input.headers, (headers) =>
            next({ ...input, headers }),
          ),
        scheduleLocalActivity: (input, next) =>
          trace.call(`StartActivity:${input.activityType}`, input.headers, (headers) =>
            next({ ...input, headers }),
          ),
        startChildWorkflowExecution: (input, next) =>
          trace.call(`StartChildWorkflow:${input.workflowType}`, input.headers, (headers) =>
            next({ ...input, headers }),
          ),
        continueAsNew: (input, next) => next({ ...input, headers: trace.handOn(input.headers) }),
      },
    ],
  };
}
