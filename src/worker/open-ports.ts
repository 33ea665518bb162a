import { IllegalStateError, Runtime, type Logger } from '@temporalio/worker';

import { ConfigurationError, type Observability } from '../config.js';
import { serveHealth, type Health, type HealthServer } from '../observe/health-server.js';
import { exporterOptions } from './metrics/exporter-options.js';
import { createSdkLogger } from './sdk-logger.js';

export interface OpenPorts {
  runtime: Runtime;
  /** Whether somebody can read metrics. */
  hasMetrics: boolean;
  health: HealthServer | undefined;
}

type Ports = Pick<Observability, 'host' | 'healthPort' | 'metricsPort'>;

/**
 * Opens the ports for health and metrics, and installs the runtime of the SDK, which serves the metrics.
 * @throws ConfigurationError naming each port that cannot be opened
 */
export async function openPorts(
  ports: Ports,
  { health, logger }: { health: Health; logger: Logger },
): Promise<OpenPorts> {
  const faults: string[] = [];
  const server = await openHealth(ports, health, faults);
  const installed = installRuntime(ports, logger, faults);
  if (faults.length === 0 && installed !== undefined) return { ...installed, health: server };
  await server?.close();
  throw new ConfigurationError(faults);
}

async function openHealth(
  { host, healthPort: port }: Ports,
  health: Health,
  faults: string[],
): Promise<HealthServer | undefined> {
  if (port === undefined) return undefined;
  try {
    return await serveHealth(health, { host, port });
  } catch (error) {
    const code = String(Reflect.get(Object(error), 'code'));
    faults.push(portFault('GCORE_WORKFLOWS_HEALTH_PORT', { host, port }, code));
    return undefined;
  }
}

/**
 * Sends everything that the SDK logs to `logger`. Without `forward` its native part would write
 * coloured text to stdout. A process that has a runtime already, such as a test with workers of its
 * own, keeps that one.
 */
function installRuntime(
  { host, metricsPort: port }: Ports,
  logger: Logger,
  faults: string[],
): Pick<OpenPorts, 'runtime' | 'hasMetrics'> | undefined {
  const metrics = port === undefined ? undefined : exporterOptions({ host, port });
  try {
    const runtime = Runtime.install({
      logger: createSdkLogger(logger),
      telemetryOptions: {
        logging: { filter: { core: 'WARN', other: 'ERROR' }, forward: {} },
        ...(metrics && { metrics }),
      },
    });
    return { runtime, hasMetrics: metrics !== undefined };
  } catch (error) {
    if (error instanceof IllegalStateError) {
      if (metrics !== undefined) logger.warn('No metrics: this process has a runtime of its own');
      return { runtime: Runtime.instance(), hasMetrics: false };
    }
    if (port === undefined) throw error;
    const reason = error instanceof Error ? error.message : String(error);
    faults.push(portFault('GCORE_WORKFLOWS_METRICS_PORT', { host, port }, reason));
    return undefined;
  }
}

function portFault(
  variable: string,
  { host, port }: { host: string; port: number },
  reason: string,
): string {
  const at = `${variable}: ${host}:${port}`;
  if (/EADDRINUSE|in use/.test(reason)) {
    return `${at} is taken by another process; give each worker of a machine ports of its own`;
  }
  if (/EADDRNOTAVAIL|assign requested/.test(reason)) {
    return `${at} cannot be opened: GCORE_WORKFLOWS_LISTEN_HOST is no address of this machine`;
  }
  if (/EACCES|denied/.test(reason)) {
    return `${at} is not allowed for this user; choose a port above 1023`;
  }
  return `${at} cannot be opened (${reason})`;
}
