import { isIP } from 'node:net';

import { z } from 'zod';

import { toPath } from '../engine/core/faults.js';
import { ConfigurationError } from './configuration-error.js';
import { withoutEmpty, type Environment } from './environment.js';

/** Where a process can be seen. Each part is off when it is not set. */
export interface Observability {
  /** Address of the ports: loopback by default. */
  host: string;
  healthPort: number | undefined;
  metricsPort: number | undefined;
  /** Traces, by the standard variables of OpenTelemetry. */
  traces: TraceSettings | undefined;
}

export interface TraceSettings {
  exporter: 'otlp' | 'console';
  protocol: 'http/protobuf' | 'http/json';
  serviceName: string;
}

const portSchema = z
  .string()
  .regex(/^\d{1,5}$/, { error: 'must be a port, 1 to 65535' })
  .transform(Number)
  .refine((port) => port > 0 && port < 65_536, { error: 'must be a port, 1 to 65535' })
  .optional();

const settingsSchema = z.object({
  GCORE_WORKFLOWS_LISTEN_HOST: z
    .string()
    .refine((host) => isIP(host) !== 0, {
      error: 'must be an IP address, such as 127.0.0.1, or 0.0.0.0 for all addresses',
    })
    .default('127.0.0.1'),
  GCORE_WORKFLOWS_HEALTH_PORT: portSchema,
  GCORE_WORKFLOWS_METRICS_PORT: portSchema,
});

export const NOT_OBSERVED: Observability = {
  host: '127.0.0.1',
  healthPort: undefined,
  metricsPort: undefined,
  traces: undefined,
};

/** Reads the ports of health and metrics, and whether to trace. Adds what is wrong to the faults. */
export function readObservability(given: Environment, faults: string[]): Observability {
  const traces = readTraceSettings(given, faults);
  const parsed = settingsSchema.safeParse(given);
  if (!parsed.success) {
    faults.push(...parsed.error.issues.map((issue) => `${toPath(issue.path)}: ${issue.message}`));
    return { ...NOT_OBSERVED, traces };
  }
  const {
    GCORE_WORKFLOWS_LISTEN_HOST: host,
    GCORE_WORKFLOWS_HEALTH_PORT: healthPort,
    GCORE_WORKFLOWS_METRICS_PORT: metricsPort,
  } = parsed.data;
  if (healthPort !== undefined && healthPort === metricsPort) {
    faults.push(
      `GCORE_WORKFLOWS_HEALTH_PORT, GCORE_WORKFLOWS_METRICS_PORT: both are ${healthPort}; give each its own port`,
    );
  }
  return { host, healthPort, metricsPort, traces };
}

/** Whether and how a process without a worker traces. Throws `ConfigurationError`. */
export function loadTraceSettings(
  environment: Environment = process.env,
): TraceSettings | undefined {
  const faults: string[] = [];
  const settings = readTraceSettings(withoutEmpty(environment), faults);
  if (faults.length > 0) throw new ConfigurationError(faults);
  return settings;
}

const PROTOCOLS = ['http/protobuf', 'http/json'] as const;

/**
 * Tracing is on with an address of a collector, or with OTEL_TRACES_EXPORTER. The libraries of OpenTelemetry
 * read the other OTEL_ variables themselves.
 */
export function readTraceSettings(given: Environment, faults: string[]): TraceSettings | undefined {
  const endpoint = endpointOf(given);
  const exporter = exporterOf(given);
  if (exporter === 'none') return undefined;
  if (exporter !== 'otlp' && exporter !== 'console') {
    faults.push('OTEL_TRACES_EXPORTER: must be otlp, console or none');
    return undefined;
  }
  if (endpoint !== undefined && !isWebAddress(endpoint)) {
    faults.push('OTEL_EXPORTER_OTLP_ENDPOINT: must be a URL such as http://localhost:4318');
  }
  const protocol = protocolOf(given, faults);
  if (protocol === undefined) return undefined;
  return { exporter, protocol, serviceName: given['OTEL_SERVICE_NAME'] ?? 'gcore-workflows' };
}

function endpointOf(given: Environment): string | undefined {
  return given['OTEL_EXPORTER_OTLP_TRACES_ENDPOINT'] ?? given['OTEL_EXPORTER_OTLP_ENDPOINT'];
}

function exporterOf(given: Environment): string {
  if (given['OTEL_SDK_DISABLED']?.toLowerCase() === 'true') return 'none';
  return given['OTEL_TRACES_EXPORTER'] ?? (endpointOf(given) === undefined ? 'none' : 'otlp');
}

function protocolOf(given: Environment, faults: string[]): TraceSettings['protocol'] | undefined {
  const asked =
    given['OTEL_EXPORTER_OTLP_TRACES_PROTOCOL'] ??
    given['OTEL_EXPORTER_OTLP_PROTOCOL'] ??
    'http/protobuf';
  const protocol = PROTOCOLS.find((known) => known === asked);
  if (protocol === undefined) {
    faults.push(
      'OTEL_EXPORTER_OTLP_PROTOCOL: must be http/protobuf or http/json; a collector takes them on port 4318',
    );
  }
  return protocol;
}

function isWebAddress(text: string): boolean {
  return URL.canParse(text) && ['http:', 'https:'].includes(new URL(text).protocol);
}
