import type { WorkerOptions } from '@temporalio/worker';

import type { CallObserver } from '../activities/index.js';
import { TRACE_SINK, type RunSpan } from '../engine/core/trace-span.js';
import type { Tracing } from '../observe/tracing/start-tracing.js';
import { nameDefects } from './name-defects.js';
import { createLateAnswers } from './tell-late-answers.js';

/** What the workers of a process need to take part in traces. */
export type WorkerTracing = Pick<
  Tracing,
  'activityInterceptors' | 'nexusInterceptors' | 'clientInterceptors' | 'runSpans'
>;

/** The interceptors of a worker. Without tracing, what workflow code tells is dropped; defects and late answers are told always. */
export function tracedOptions(
  tracing: WorkerTracing | undefined,
): Pick<WorkerOptions, 'interceptors' | 'sinks'> {
  const end = tracing?.runSpans ?? (() => undefined);
  const sinks = {
    [TRACE_SINK]: {
      end: {
        fn: (_run: unknown, span: RunSpan) => {
          end(span);
        },
        callDuringReplay: false,
      },
    },
  };
  const own = [createLateAnswers(), nameDefects];
  if (tracing === undefined) return { sinks, interceptors: { activity: own } };
  const { nexusInterceptors, clientInterceptors } = tracing;
  // The last one is nearest to the activity: the spans see the name.
  const activityInterceptors = [...tracing.activityInterceptors, ...own];
  const client = { workflow: clientInterceptors };
  return {
    sinks,
    interceptors: { activity: activityInterceptors, nexus: nexusInterceptors, client },
  };
}

/** Tells several observers about the same calls, the last one nearest to the call. */
export function composeObservers(observers: readonly CallObserver[]): CallObserver {
  return {
    exchange: (call, send) =>
      observers.reduceRight<typeof send>(
        (inner, observer) => () => observer.exchange(call, inner),
        send,
      )(),
    held: (call, reason) => {
      for (const observer of observers) observer.held(call, reason);
    },
    waited: (lane, ms) => {
      for (const observer of observers) observer.waited(lane, ms);
    },
  };
}
