import { SpanKind, SpanStatusCode, TraceFlags, type HrTime } from '@opentelemetry/api';
import type { Resource } from '@opentelemetry/resources';
import type { ReadableSpan, SpanProcessor } from '@opentelemetry/sdk-trace-base';

import type { RunSpan } from '../../engine/core/trace-span.js';

/** Takes the spans that workflow code has told. */
export function createRunSpans(
  processor: SpanProcessor,
  resource: Resource,
): (span: RunSpan) => void {
  return (span) => {
    processor.onEnd(toReadable(span, resource));
  };
}

function toReadable(span: RunSpan, resource: Resource): ReadableSpan {
  const { name, traceId, spanId, parentSpanId, startedAt, endedAt, error } = span;
  const spanContext = { traceId, spanId, traceFlags: TraceFlags.SAMPLED };
  return {
    name,
    parentSpanContext: { traceId, spanId: parentSpanId, traceFlags: TraceFlags.SAMPLED },
    resource,
    kind: SpanKind.INTERNAL,
    spanContext: () => spanContext,
    startTime: toHrTime(startedAt),
    endTime: toHrTime(endedAt),
    duration: toHrTime(endedAt - startedAt),
    status:
      error === undefined
        ? { code: SpanStatusCode.OK }
        : { code: SpanStatusCode.ERROR, message: error },
    attributes: { ...span.attributes },
    links: [],
    events: [],
    ended: true,
    instrumentationScope: { name: 'gcore-workflows' },
    droppedAttributesCount: 0,
    droppedEventsCount: 0,
    droppedLinksCount: 0,
  };
}

function toHrTime(ms: number): HrTime {
  return [Math.floor(ms / 1000), Math.round((ms % 1000) * 1e6)];
}
