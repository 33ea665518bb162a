import type { Attributes, AttributeValue, Context } from '@opentelemetry/api';
import type { ReadableSpan, Span, SpanProcessor, TimedEvent } from '@opentelemetry/sdk-trace-base';

import { isSecretField } from '../../contract/wire/secret-fields.js';
import { redactText } from '../redact.js';

/** A processor before another one: no secret, no stack and no query string leaves with a span. */
export function withCleanSpans(next: SpanProcessor): SpanProcessor {
  return {
    onStart: (span: Span, context: Context) => {
      next.onStart(span, context);
    },
    onEnd: (span) => {
      next.onEnd(cleanSpan(span));
    },
    forceFlush: () => next.forceFlush(),
    shutdown: () => next.shutdown(),
  };
}

function cleanSpan(span: ReadableSpan): ReadableSpan {
  const { message, ...status } = span.status;
  return {
    name: span.name,
    kind: span.kind,
    spanContext: () => span.spanContext(),
    ...(span.parentSpanContext && { parentSpanContext: span.parentSpanContext }),
    startTime: span.startTime,
    endTime: span.endTime,
    duration: span.duration,
    ended: span.ended,
    status: { ...status, ...(message !== undefined && { message: redactText(message) }) },
    attributes: cleanAttributes(span.attributes),
    events: span.events.map(cleanEvent),
    links: span.links,
    resource: span.resource,
    instrumentationScope: span.instrumentationScope,
    droppedAttributesCount: span.droppedAttributesCount,
    droppedEventsCount: span.droppedEventsCount,
    droppedLinksCount: span.droppedLinksCount,
  };
}

const STACK = 'exception.stacktrace';

function cleanEvent({ attributes = {}, ...event }: TimedEvent): TimedEvent {
  const { [STACK]: stack, ...rest } = attributes;
  const hasStack = stack !== undefined;
  return { ...event, attributes: cleanAttributes(hasStack ? rest : attributes) };
}

function cleanAttributes(attributes: Attributes): Attributes {
  const clean: Attributes = {};
  for (const [name, value] of Object.entries(attributes)) {
    if (isSecretField(name)) continue;
    clean[name] = cleanValue(value);
  }
  return clean;
}

function cleanValue(value: AttributeValue | undefined): AttributeValue | undefined {
  if (typeof value === 'string') return redactText(value);
  if (!Array.isArray(value)) return value;
  return value.map((item) => redactText(String(item)));
}
