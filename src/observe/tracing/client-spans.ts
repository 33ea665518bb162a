import { trace } from '@opentelemetry/api';
import type { WorkflowClientInterceptor } from '@temporalio/client';

import type { SpanAround } from './span-around.js';
import { withTrace } from './trace-header.js';

/**
 * Gives the trace of the caller to the run that it starts or operates. Reads have no spans: whoever follows a run
 * reads it again and again.
 */
export function clientSpans(spanAround: SpanAround): WorkflowClientInterceptor[] {
  const around = <T>(name: string, workflowId: string | undefined, act: () => Promise<T>) =>
    spanAround(
      { name, attributes: workflowId === undefined ? {} : { temporalWorkflowId: workflowId } },
      act,
    );
  return [
    {
      startWithDetails: (input, next) =>
        around(`StartWorkflow:${input.workflowType}`, input.options.workflowId, async () => {
          const output = await next({ ...input, headers: withTrace(input.headers) });
          trace.getActiveSpan()?.setAttribute('run_id', output.runId);
          return output;
        }),
      signal: (input, next) =>
        around(`SignalWorkflow:${input.signalName}`, input.workflowExecution.workflowId, () =>
          next({ ...input, headers: withTrace(input.headers) }),
        ),
      signalWithStart: (input, next) =>
        around(`SignalWithStartWorkflow:${input.workflowType}`, input.options.workflowId, () =>
          next({ ...input, headers: withTrace(input.headers) }),
        ),
      startUpdate: (input, next) =>
        around(`StartWorkflowUpdate:${input.updateName}`, input.workflowExecution.workflowId, () =>
          next({ ...input, headers: withTrace(input.headers) }),
        ),
      cancel: (input, next) =>
        around('CancelWorkflow', input.workflowExecution.workflowId, () => next(input)),
      terminate: (input, next) =>
        around('TerminateWorkflow', input.workflowExecution.workflowId, () => next(input)),
    },
  ];
}
