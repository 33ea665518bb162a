import {
  context,
  ROOT_CONTEXT,
  SpanKind,
  trace,
  TraceFlags,
  type Tracer,
} from '@opentelemetry/api';
import { SamplingDecision, type Sampler } from '@opentelemetry/sdk-trace-base';
import { OpenTelemetryActivityInboundInterceptor } from '@temporalio/interceptors-opentelemetry';
import type { ActivityInterceptorsFactory } from '@temporalio/worker';

import { TRACE_HEADER, traceOfRun } from '../../engine/core/trace-span.js';

/** A span for each attempt of an activity, under the span of whoever scheduled it. */
export function activitySpans(tracer: Tracer, sampler: Sampler): ActivityInterceptorsFactory {
  return (activity) => {
    const spans = new OpenTelemetryActivityInboundInterceptor(activity, { tracer });
    const { attempt, workflowExecution, taskQueue } = activity.info;
    return {
      inbound: {
        execute(input, next) {
          const act = () =>
            spans.execute(input, (traced) => {
              trace.getActiveSpan()?.setAttributes({
                'temporal.attempt': attempt,
                'temporal.task_queue': taskQueue,
              });
              return next(traced);
            });
          // Started by somebody without traces: its activities are in one trace all the same.
          const isAlone = input.headers[TRACE_HEADER] === undefined;
          if (!isAlone || workflowExecution === undefined) return act();
          return context.with(contextOfRun(workflowExecution.runId, sampler), act);
        },
      },
    };
  };
}

function contextOfRun(runId: string, sampler: Sampler) {
  const ids = traceOfRun(runId);
  const { decision } = sampler.shouldSample(
    ROOT_CONTEXT,
    ids.traceId,
    'run',
    SpanKind.INTERNAL,
    {},
    [],
  );
  const isSampled = decision === SamplingDecision.RECORD_AND_SAMPLED;
  const traceFlags = isSampled ? TraceFlags.SAMPLED : TraceFlags.NONE;
  return trace.setSpanContext(ROOT_CONTEXT, { ...ids, traceFlags, isRemote: true });
}
