import type { NexusInterceptorsFactory } from '@temporalio/worker';
import type { OperationContext } from 'nexus-rpc';

import type { SpanAround } from './span-around.js';

/** A span for each call of an operation over Nexus, in the trace of its caller. */
export function nexusSpans(spanAround: SpanAround): NexusInterceptorsFactory {
  const around = <T>(name: string, call: OperationContext, act: () => Promise<T>) =>
    spanAround(
      {
        name: `${name}:${call.service}/${call.operation}`,
        carrier: call.headers,
        attributes: {
          temporalNexusService: call.service,
          temporalNexusOperation: call.operation,
        },
      },
      act,
    );
  return () => ({
    inbound: {
      startOperation: (input, next) =>
        around('RunStartNexusOperation', input.ctx, () => next(input)),
      cancelOperation: (input, next) =>
        around('RunCancelNexusOperation', input.ctx, () => next(input)),
    },
  });
}
