import {
  context,
  propagation,
  SpanKind,
  SpanStatusCode,
  type Attributes,
  type Tracer,
} from '@opentelemetry/api';

export interface SpanOptions {
  name: string;
  /** Where the caller is in its own trace, such as the headers of a request. */
  carrier?: Readonly<Record<string, string>>;
  kind?: 'server' | 'internal';
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
  return ({ name, carrier, kind = 'internal' }, act, atEnd = () => ({})) => {
    const outer =
      carrier === undefined ? context.active() : propagation.extract(context.active(), carrier);
    const options = { kind: kind === 'server' ? SpanKind.SERVER : SpanKind.INTERNAL };
    return tracer.startActiveSpan(name, options, outer, async (span) => {
      try {
        return await act();
      } catch (error) {
        span.setStatus({ code: SpanStatusCode.ERROR });
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
