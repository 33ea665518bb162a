import { performance } from 'node:perf_hooks';
import { setTimeout as delay } from 'node:timers/promises';

import { context, diag, DiagLogLevel, propagation } from '@opentelemetry/api';
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks';
import { getNumberFromEnv, getStringFromEnv, W3CTraceContextPropagator } from '@opentelemetry/core';
import { OTLPTraceExporter as JsonExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { OTLPTraceExporter as ProtobufExporter } from '@opentelemetry/exporter-trace-otlp-proto';
import { detectResources, envDetector, resourceFromAttributes } from '@opentelemetry/resources';
import {
  AlwaysOffSampler,
  AlwaysOnSampler,
  BasicTracerProvider,
  BatchSpanProcessor,
  ConsoleSpanExporter,
  TraceIdRatioBasedSampler,
  type Sampler,
  type SpanExporter,
} from '@opentelemetry/sdk-trace-base';
import type { Logger } from '@temporalio/common';

import { VERSION } from '../../contract/version.js';
import { activitySpans } from './activity-spans.js';
import { callSpans } from './call-spans.js';
import { clientSpans } from './client-spans.js';
import { withCleanSpans } from './clean-spans.js';
import { nexusSpans } from './nexus-spans.js';
import { createRunSpans } from './run-spans.js';
import { createSpanAround } from './span-around.js';

export interface TracingOptions {
  exporter: 'otlp' | 'console';
  protocol: 'http/protobuf' | 'http/json';
  serviceName: string;
  /** Told when spans cannot be sent. */
  logger?: Pick<Logger, 'warn'>;
}

/** What the parts of a process need to take part in a trace. */
export type Tracing = ReturnType<typeof startTracing>;

const END_WITHIN_MS = 3_000;
const COMPLAIN_EVERY_MS = 60_000;

/**
 * Begins to trace this process. Loads the libraries of OpenTelemetry, so import this file only where tracing is
 * on. They read the rest of the `OTEL_` variables themselves: sampler, limits, headers, resource.
 */
export function startTracing({ serviceName, logger, ...exporting }: TracingOptions) {
  complainTo(logger);
  const resource = resourceFromAttributes({
    'service.name': serviceName,
    'service.version': VERSION,
  }).merge(detectResources({ detectors: [envDetector] }));
  const processor = withCleanSpans(new BatchSpanProcessor(createExporter(exporting)));
  const provider = new BasicTracerProvider({ resource, spanProcessors: [processor] });
  context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
  propagation.setGlobalPropagator(new W3CTraceContextPropagator());
  const tracer = provider.getTracer('gcore-workflows', VERSION);
  const spanAround = createSpanAround(tracer);
  return {
    /** For a client of Temporal. */
    clientInterceptors: clientSpans(spanAround),
    activityInterceptors: [activitySpans(spanAround, rootSampler())],
    nexusInterceptors: [nexusSpans(spanAround)],
    /** For the sink `TRACE_SINK` of workflows. */
    runSpans: createRunSpans(processor, resource),
    /** A `CallObserver` for the calls of one account. */
    callSpans: (account: string, host: string) => callSpans(tracer, { account, host }),
    spanAround,
    /** Sends what is left. A collector that does not answer holds nothing up for long. */
    end: async (): Promise<void> => {
      const late = delay(END_WITHIN_MS, undefined, { ref: false });
      await Promise.race([provider.shutdown(), late]).catch(() => undefined);
    },
  };
}

function createExporter({
  exporter,
  protocol,
}: Pick<TracingOptions, 'exporter' | 'protocol'>): SpanExporter {
  if (exporter === 'console') return new ConsoleSpanExporter();
  return protocol === 'http/json' ? new JsonExporter() : new ProtobufExporter();
}

/** Decides about a run that came without a trace. Spans with a parent follow that. */
function rootSampler(): Sampler {
  const name = getStringFromEnv('OTEL_TRACES_SAMPLER') ?? '';
  if (name.endsWith('always_off')) return new AlwaysOffSampler();
  if (!name.endsWith('traceidratio')) return new AlwaysOnSampler();
  return new TraceIdRatioBasedSampler(getNumberFromEnv('OTEL_TRACES_SAMPLER_ARG') ?? 1);
}

/** A collector that is away is worth a line a minute, not one for each batch. */
function complainTo(logger: TracingOptions['logger']): void {
  if (logger === undefined) return;
  let quietUntil = 0;
  const complain = (reason: string): void => {
    if (performance.now() < quietUntil) return;
    quietUntil = performance.now() + COMPLAIN_EVERY_MS;
    logger.warn('Spans cannot be sent; they are dropped', { reason });
  };
  const quiet = (): void => undefined;
  diag.setLogger(
    { error: complain, warn: complain, info: quiet, debug: quiet, verbose: quiet },
    { logLevel: DiagLogLevel.WARN, suppressOverrideMessage: true },
  );
}
