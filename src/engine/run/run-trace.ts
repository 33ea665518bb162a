import { defaultPayloadConverter, type Payload } from '@temporalio/common';
import { ContinueAsNew } from '@temporalio/workflow';

import {
  isRecorded,
  parseTraceparent,
  spanIdOf,
  toTraceparent,
  TRACE_HEADER,
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
  /** Gives the promise of `act` itself: one more await would change the order of commands. */
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
