import { context, ROOT_CONTEXT, SpanKind, trace, TraceFlags } from '@opentelemetry/api';
import { SamplingDecision, type Sampler } from '@opentelemetry/sdk-trace-base';
import type { ActivityInterceptorsFactory } from '@temporalio/worker';

import { TRACE_HEADER, traceOfRun } from '../../engine/core/trace-span.js';
import type { SpanAround } from './span-around.js';
import { carrierIn } from './trace-header.js';

/** A span for each attempt of an activity, under the span of whoever scheduled it. */
export function activitySpans(
  spanAround: SpanAround,
  sampler: Sampler,
): ActivityInterceptorsFactory {
  return ({ info: { activityType, activityId, attempt, taskQueue, workflowExecution: run } }) => ({
    inbound: {
      execute(input, next) {
        const options = {
          name: `RunActivity:${activityType}`,
          carrier: carrierIn(input.headers),
          attributes: {
            temporalActivityId: activityId,
            'temporal.attempt': attempt,
            'temporal.task_queue': taskQueue,
            ...(run && { temporalWorkflowId: run.workflowId, run_id: run.runId }),
          },
        };
        const act = () => spanAround(options, () => next(input));
        // Started by somebody without traces: its activities are in one trace all the same.
        const isAlone = input.headers[TRACE_HEADER] === undefined;
        if (!isAlone || run === undefined) return act();
        return context.with(contextOfRun(run.runId, sampler), act);
      },
    },
  });
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
