import type { Logger, NativeConnection } from '@temporalio/worker';

import { createManifestReader, type CallObserver, type PrepareDeps } from '../activities/index.js';
import {
  loadTemporalConfig,
  loadWorkerConfig,
  type TemporalConfig,
  type WorkerConfig,
} from '../config.js';
import { CREATE_SEARCH_ATTRIBUTES } from '../contract/create-search-attributes.js';
import { DEFAULT_POLL_POLICY, type PollPolicy } from '../contract/run-policy.js';
import type { Tracing } from '../observe/tracing/start-tracing.js';
import { createAccountBreakers } from './account-breakers.js';
import { connectToTemporal } from './connect.js';
import { createWorkers, runWorkers, type AccountOptions } from './create-workers.js';
import { createWorkerHealth, type WorkerHealth } from './health/worker-health.js';
import { createPaceLog } from './log-pace.js';
import { createAccountMetrics, type AccountMetrics } from './metrics/account-metrics.js';
import { createWorkerInstruments } from './metrics/instruments.js';
import { measureProcess } from './metrics/process-metrics.js';
import { createSampler, type Sampler } from './metrics/sampler.js';
import { hideSecret } from '../observe/known-secrets.js';
import { createLogger } from '../observe/logger.js';
import { hasNexus } from './nexus/has-nexus.js';
import { openPorts, type OpenPorts } from './open-ports.js';
import { hasSearchAttributes } from './search-attributes.js';
import { composeObservers, startWorkerTracing } from './tracing.js';
import { WORKFLOW_BUNDLE_PATH } from './workflow-bundle.js';

export interface RunWorkerOptions {
  config?: WorkerConfig;
  temporal?: TemporalConfig;
  poll?: PollPolicy;
  logger?: Logger;
  /** Ends the worker gracefully, in addition to the signals that the SDK handles. */
  signal?: AbortSignal;
}

/** The whole worker: loads the configuration, connects, and runs until a signal ends it. */
export async function runWorker(options: RunWorkerOptions = {}): Promise<void> {
  const config = options.config ?? loadWorkerConfig();
  const temporal = options.temporal ?? loadTemporalConfig();
  hideSecretsOf(config, temporal);
  const logger =
    options.logger ?? createLogger('INFO', (line) => process.stderr.write(`${line}\n`));
  const signal = options.signal ?? new AbortController().signal;
  const health = createWorkerHealth();
  signal.addEventListener('abort', health.stopping);
  const ports = await openPorts(config.observe, { health, logger });
  for (const notice of config.notices) logger.warn(notice);
  const sampler = createSampler();
  const tracing = await startWorkerTracing(config.observe.traces, logger);
  const end = new AbortController();
  try {
    const run = { ...options, config, temporal, logger, signal, health };
    await connectAndRun(run, { ports, sampler, tracing, end: end.signal });
  } finally {
    end.abort();
    sampler.stop();
    await tracing?.end();
    await ports.health?.close();
    // The SDK holds its log lines back for a moment. After a failure the process ends before that.
    ports.runtime.flushLogs();
  }
}

type WorkerRun = Required<Pick<RunWorkerOptions, 'config' | 'temporal' | 'logger' | 'signal'>> &
  Pick<RunWorkerOptions, 'poll'> & { health: WorkerHealth };

interface Measuring {
  ports: OpenPorts;
  sampler: Sampler;
  tracing: Tracing | undefined;
  /** Aborts when nothing is left to measure. */
  end: AbortSignal;
}

async function connectAndRun(run: WorkerRun, measuring: Measuring): Promise<void> {
  const { config, temporal, logger, signal, health } = run;
  const { ports, sampler, tracing, end } = measuring;
  const connection = await connect(run);
  try {
    const namespace = temporal.namespace ?? 'default';
    const searchAttributes = await hasSearchAttributes(connection, namespace);
    if (!searchAttributes)
      logger.warn(SEARCH_ATTRIBUTES_MISSING, { fix: CREATE_SEARCH_ATTRIBUTES });
    const metrics = createWorkerInstruments(ports.runtime.metricMeter);
    const workers = await createWorkers({
      connection,
      namespace,
      tracing,
      workflowBundle: { codePath: WORKFLOW_BUNDLE_PATH },
      nexus: await hasNexus(connection),
      prepare: toPrepareDeps(config, { poll: run.poll ?? DEFAULT_POLL_POLICY, searchAttributes }),
      accounts: [
        toAccount(config, logger, {
          metrics: createAccountMetrics(config.account, { metrics, sampler }),
          tracing,
        }),
      ],
      manifests: createManifestReader({ root: config.manifestRoot, hosts: config.manifestHosts }),
    });
    const deps = { connection, namespace };
    health.follow(deps, workers);
    if (ports.hasMetrics) {
      measureProcess({ metrics, sampler, health, deps, searchAttributes, signal: end });
    }
    logger.info('Worker is ready', { namespace, account: config.account, api: config.baseUrl });
    await runWorkers(workers, signal);
  } finally {
    await connection.close();
  }
}

function connect({ temporal, logger, signal }: WorkerRun): Promise<NativeConnection> {
  return connectToTemporal({
    connectionOptions: temporal.connectionOptions,
    signal,
    onRetry: (reason, waitMs) => {
      logger.warn('Temporal does not answer; trying again', { reason, waitMs });
    },
  });
}

function hideSecretsOf({ apiKey }: WorkerConfig, { connectionOptions }: TemporalConfig): void {
  hideSecret(apiKey);
  const { apiKey: temporalKey } = connectionOptions;
  if (typeof temporalKey === 'string') hideSecret(temporalKey);
}

const NOT_WATCHING =
  'The list of tasks cannot be read; the runs of the account look by themselves, less often';

const SEARCH_ATTRIBUTES_MISSING =
  'The namespace lacks the search attributes; runs are started without them';

function toPrepareDeps(
  { projectId, regionId, reconcileGraceMs, watcher, webhooks }: WorkerConfig,
  { poll, searchAttributes }: { poll: PollPolicy; searchAttributes: boolean },
): PrepareDeps {
  return {
    defaults: { projectId, regionId },
    policy: { poll, reconcileGraceMs, searchAttributes, watcher, traceTasks: true },
    ...(webhooks && { webhooks }),
  };
}

function toAccount(
  config: WorkerConfig,
  logger: Logger,
  { metrics, tracing }: Measured,
): AccountOptions {
  const account = { name: config.account, requestsPerSecond: config.requestsPerSecond };
  return {
    ...account,
    onPace: createPaceLog(account, logger),
    api: {
      ...config,
      breakers: createAccountBreakers(account, logger, metrics.breakers),
      observer: observerOf(config, { metrics, tracing }),
    },
    onBudget: metrics.onBudget,
    onDelivery: metrics.onDelivery,
    watch: {
      onWatcher: metrics.onWatcher,
      onNotWatching: (reason) => {
        metrics.onListReadable(false);
        logger.warn(NOT_WATCHING, { account: config.account, reason });
      },
      onWatching: () => {
        metrics.onListReadable(true);
        logger.info('The list of tasks can be read again', { account: config.account });
      },
    },
  };
}

interface Measured {
  metrics: AccountMetrics;
  tracing: Tracing | undefined;
}

function observerOf(
  { account, baseUrl }: WorkerConfig,
  { metrics, tracing }: Measured,
): CallObserver {
  if (tracing === undefined) return metrics.observer;
  const spans = tracing.callSpans(account, new URL(baseUrl).host);
  return composeObservers([spans, metrics.observer]);
}
