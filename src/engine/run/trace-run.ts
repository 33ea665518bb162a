import { defaultPayloadConverter, type Payload } from '@temporalio/common';
import {
  ContinueAsNew,
  proxySinks,
  workflowInfo,
  type Sinks,
  type WorkflowInterceptors,
} from '@temporalio/workflow';

import {
  isRecorded,
  parseTraceparent,
  spanIdOf,
  toTraceparent,
  TRACE_HEADER,
  TRACE_SINK,
  type RunSpan,
  type TraceContext,
} from '../core/trace-span.js';

type Headers = Record<string, Payload>;

interface RunTraceDeps {
  runId: () => string;
  /** Takes each span at its end, except those of a trace that nobody records. */
  tell: (span: Omit<RunSpan, 'attributes'>) => void;
}

interface Span {
  name: string;
  parent: TraceContext;
  own: TraceContext;
}

/** The trace of one run. */
export function createRunTrace({ runId, tell }: RunTraceDeps) {
  let parent: TraceContext | undefined;
  let current: TraceContext | undefined;
  let count = 0;
  const spanUnder = (context: TraceContext): TraceContext => ({
    ...context,
    spanId: spanIdOf(runId(), (count += 1)),
  });
  /** Returns the very promise of `act`: to await it here would change the order of commands. */
  const timed = <T>({ name, parent: above, own }: Span, act: () => Promise<T>): Promise<T> => {
    const startedAt = Date.now();
    const end = (error?: unknown): void => {
      if (!isRecorded(own)) return;
      tell({
        name,
        traceId: own.traceId,
        spanId: own.spanId,
        parentSpanId: above.spanId,
        startedAt,
        endedAt: Date.now(),
        ...(error !== undefined && { error: messageOf(error) }),
      });
    };
    const promise = act();
    promise.then(
      () => {
        end();
      },
      (error: unknown) => {
        end(error instanceof ContinueAsNew ? undefined : error);
      },
    );
    return promise;
  };
  return {
    run<T>(name: string, headers: Headers, act: () => Promise<T>): Promise<T> {
      parent = contextIn(headers);
      if (parent === undefined) return act();
      current = spanUnder(parent);
      return timed({ name, parent, own: current }, act);
    },
    /** An update has the trace of the operator who sent it. */
    update<T>(
      { name, headers }: { name: string; headers: Headers },
      act: () => Promise<T>,
    ): Promise<T> {
      const sender = contextIn(headers);
      if (sender === undefined) return act();
      return timed({ name: `HandleUpdate:${name}`, parent: sender, own: spanUnder(sender) }, act);
    },
    call<T>(name: string, headers: Headers, act: (headers: Headers) => Promise<T>): Promise<T> {
      if (current === undefined) return act(headers);
      const own = spanUnder(current);
      return timed({ name, parent: current, own }, () => act(withContext(headers, own)));
    },
    /** The next history of the run is in the same place of the trace as this one. */
    handOn: (headers: Headers): Headers =>
      parent === undefined ? headers : withContext(headers, parent),
  };
}

function contextIn(headers: Headers): TraceContext | undefined {
  const payload = headers[TRACE_HEADER];
  if (payload === undefined) return undefined;
  try {
    const carrier: unknown = defaultPayloadConverter.fromPayload(payload);
    return parseTraceparent(Reflect.get(Object(carrier), 'traceparent'));
  } catch {
    // Somebody else's header.
    return undefined;
  }
}

function withContext(headers: Headers, context: TraceContext): Headers {
  const carrier = { traceparent: toTraceparent(context) };
  return { ...headers, [TRACE_HEADER]: defaultPayloadConverter.toPayload(carrier) };
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : 'failed';
}

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
