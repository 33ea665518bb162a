import {
  context,
  propagation,
  SpanKind,
  SpanStatusCode,
  type Attributes,
  type Span,
  type Tracer,
} from '@opentelemetry/api';
import {
  ApplicationFailure,
  ApplicationFailureCategory,
  CompleteAsyncError,
} from '@temporalio/common';

import type { Carrier } from './trace-header.js';

export interface SpanOptions {
  name: string;
  /** Where the caller is in its own trace, such as the headers of a request. */
  carrier?: Carrier;
  kind?: 'server' | 'internal';
  attributes?: Attributes;
}

/** What is known only at the end. */
export interface SpanEnd {
  name?: string;
  attributes?: Attributes;
  isFault?: boolean;
}

/** Runs something in a span. It must not fail because of the span. */
export type SpanAround = <T>(
  options: SpanOptions,
  act: () => Promise<T>,
  atEnd?: () => SpanEnd,
) => Promise<T>;

export function createSpanAround(tracer: Tracer): SpanAround {
  return ({ name, carrier, kind = 'internal', attributes = {} }, act, atEnd = () => ({})) => {
    const outer =
      carrier === undefined ? context.active() : propagation.extract(context.active(), carrier);
    const options = { kind: kind === 'server' ? SpanKind.SERVER : SpanKind.INTERNAL, attributes };
    return tracer.startActiveSpan(name, options, outer, async (span) => {
      try {
        return await act();
      } catch (error) {
        tellFailure(span, error);
        throw error;
      } finally {
        const end = atEnd();
        if (end.name !== undefined) span.updateName(end.name);
        if (end.attributes !== undefined) span.setAttributes(end.attributes);
        if (end.isFault === true) span.setStatus({ code: SpanStatusCode.ERROR });
        span.end();
      }
    });
  };
}

/** An activity throws too where it only says that it goes on elsewhere, or that there is no news yet. */
function tellFailure(span: Span, error: unknown): void {
  if (error instanceof CompleteAsyncError) return;
  const failure = error instanceof Error ? error : new Error(String(error));
  span.recordException(failure);
  const isExpected =
    error instanceof ApplicationFailure && error.category === ApplicationFailureCategory.BENIGN;
  if (!isExpected) span.setStatus({ code: SpanStatusCode.ERROR, message: failure.message });
}
