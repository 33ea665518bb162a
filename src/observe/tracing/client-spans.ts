import type { Tracer } from '@opentelemetry/api';
import type { WorkflowClientInterceptor } from '@temporalio/client';
import { OpenTelemetryWorkflowClientInterceptor } from '@temporalio/interceptors-opentelemetry';

/**
 * Gives the trace of the caller to the run that it starts or operates. Reads have no spans: whoever follows a run
 * reads it again and again.
 */
export function clientSpans(tracer: Tracer): WorkflowClientInterceptor[] {
  const spans = new OpenTelemetryWorkflowClientInterceptor({ tracer });
  return [
    {
      startWithDetails: (input, next) => spans.startWithDetails(input, next),
      signal: (input, next) => spans.signal(input, next),
      signalWithStart: (input, next) => spans.signalWithStart(input, next),
      startUpdate: (input, next) => spans.startUpdate(input, next),
      cancel: (input, next) => spans.cancel(input, next),
      terminate: (input, next) => spans.terminate(input, next),
    },
  ];
}
