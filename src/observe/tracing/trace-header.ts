import { context, propagation } from '@opentelemetry/api';
import { defaultPayloadConverter, type Headers } from '@temporalio/common';
import { z } from 'zod';

import { TRACE_HEADER } from '../../engine/core/trace-span.js';

export type Carrier = Readonly<Record<string, string>>;

const carrierSchema = z.record(z.string(), z.string());

/** Where the caller is in its trace. Empty where it has none: a header of somebody else must fail no call. */
export function carrierIn(headers: Headers): Carrier {
  const payload = headers[TRACE_HEADER];
  if (payload === undefined) return {};
  try {
    return carrierSchema.parse(defaultPayloadConverter.fromPayload(payload));
  } catch {
    return {};
  }
}

/** The headers, with the span that is open here. */
export function withTrace(headers: Headers): Headers {
  const carrier: Record<string, string> = {};
  propagation.inject(context.active(), carrier);
  return { ...headers, [TRACE_HEADER]: defaultPayloadConverter.toPayload(carrier) };
}
