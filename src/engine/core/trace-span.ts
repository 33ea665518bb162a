import { digestOf } from './digest.js';

/**
 * What workflow code tells of a trace. It crosses from the sandbox of a workflow to the worker, which hands it to
 * OpenTelemetry. It imports nothing of that: workflow code uses it.
 */
export interface RunSpan {
  name: string;
  /** 32 hexadecimal digits. */
  traceId: string;
  /** 16 hexadecimal digits. */
  spanId: string;
  parentSpanId: string;
  /** Milliseconds since the epoch, by the clock of the workflow. */
  startedAt: number;
  endedAt: number;
  attributes: Readonly<Record<string, string | number>>;
  /** Why it failed. */
  error?: string;
}

/** Header of a call in which its trace is, as `@temporalio/interceptors-opentelemetry` writes it. */
export const TRACE_HEADER = '_tracer-data';

/** Name of the sink that takes `RunSpan`s. */
export const TRACE_SINK = 'runTraces';

/** Where a call belongs in a trace, by W3C Trace Context. */
export interface TraceContext {
  traceId: string;
  spanId: string;
  /** Two hexadecimal digits; odd: somebody records the trace. */
  flags: string;
}

const TRACEPARENT = /^00-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})$/;

/** `undefined` for anything else than a `traceparent` of version 00. */
export function parseTraceparent(text: unknown): TraceContext | undefined {
  const [, traceId, spanId, flags] = (typeof text === 'string' && TRACEPARENT.exec(text)) || [];
  if (traceId === undefined || spanId === undefined || flags === undefined) return undefined;
  return { traceId, spanId, flags };
}

export function toTraceparent({ traceId, spanId, flags }: TraceContext): string {
  return `00-${traceId}-${spanId}-${flags}`;
}

export function isRecorded({ flags }: TraceContext): boolean {
  return Number.parseInt(flags, 16) % 2 === 1;
}

/**
 * The trace of a run that nobody has given one: every worker finds the same, so that its calls are in one trace.
 * A Run Id is a UUID, which has as many bits as the id of a trace.
 */
export function traceOfRun(runId: string): { traceId: string; spanId: string } {
  const digits = runId.replaceAll('-', '').toLowerCase();
  const isUuid = /^[0-9a-f]{32}$/.test(digits) && !/^0+$/.test(digits);
  const traceId = isUuid ? digits : spanIdOf(runId, 0) + spanIdOf(runId, 1);
  return { traceId, spanId: spanIdOf(runId, 0) };
}

/** The same on every replay. No random number: that would change those that the workflow draws next. */
export function spanIdOf(runId: string, count: number): string {
  return digestOf(`${runId}/${count}`).replace(/^0{16}$/, '0000000000000001');
}
