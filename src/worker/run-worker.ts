import type { Logger, NativeConnection } from '@temporalio/worker';

import type { PrepareSettings } from '../activities/index.js';
import {
  loadTemporalConfig,
  loadWorkerConfig,
  type TemporalConfig,
  type WorkerConfig,
} from '../config.js';
import { CREATE_SEARCH_ATTRIBUTES } from '../contract/create-search-attributes.js';
import { DEFAULT_POLL_POLICY } from '../contract/wire/tasks.js';
import type { PollPolicy } from '../engine/core/run-policy.js';
import { hideSecret } from '../observe/known-secrets.js';
import { createLogger } from '../observe/logger.js';
import { loadTracing } from '../observe/tracing/load-tracing.js';
import type { Tracing } from '../observe/tracing/start-tracing.js';
import { connectToTemporal } from './connect.js';
import { createWorkers, runWorkers } from './create-workers.js';
import { followFiles } from './follow-files.js';
import { createWorkerHealth, type WorkerHealth } from './health/worker-health.js';
import { openLoggedCodec } from './logged-codec.js';
import { beginCounters } from './metrics/begin-counters.js';
import { createWorkerInstruments } from './metrics/instruments.js';
import { measureProcess } from './metrics/process-metrics.js';
import { createSampler, type Sampler } from './metrics/sampler.js';
import { hasNexus } from './nexus/create-nexus-service.js';
import { openPorts, type OpenPorts } from './open-ports.js';
import { hasSearchAttributes } from './search-attributes.js';
import { serveAccounts } from './serve-account.js';
import { readOwnVersion, warnUnlessCurrent } from './worker-version.js';
import { BundlePart, bundlePath } from './workflow-bundle.js';

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
  hideTemporalKey(temporal);
  const logger =
    options.logger ?? createLogger('INFO', (line) => process.stderr.write(`${line}\n`));
  const signal = options.signal ?? new AbortController().signal;
  const health = createWorkerHealth();
  signal.addEventListener('abort', health.stopping);
  const ports = await openPorts(config.observe, { health, logger });
  for (const notice of config.notices) logger.warn(notice);
  const sampler = createSampler();
  const end = new AbortController();
  let tracing: Tracing | undefined;
  try {
    tracing = await loadTracing(config.observe.traces, logger);
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
  const own = await readOwnVersion(config.deployment);
  const connection = await connect(run);
  try {
    const namespace = temporal.namespace ?? 'default';
    const deps = { connection, namespace };
    const searchAttributes = await findSearchAttributes(connection, namespace, logger);
    const metrics = createWorkerInstruments(ports.runtime.metricMeter);
    const accounts = serveAccounts(config, { logger, metrics, sampler, tracing });
    const payloads = await openPayloads(config, logger);
    const workers = await createWorkers({
      ...deps,
      tracing,
      ...payloads,
      ...own.option,
      nexus: await hasNexus(connection),
      prepare: toPrepareSettings(config, {
        poll: run.poll ?? DEFAULT_POLL_POLICY,
        searchAttributes,
      }),
      accounts: accounts.map((account) => account.options),
      cachedRuns: config.cachedRuns,
      manifests: { root: config.manifestRoot, hosts: config.manifestHosts },
    });
    health.follow(deps, workers);
    if (ports.hasMetrics) {
      beginCounters(ports.runtime.metricMeter, namespace);
      measureProcess({ metrics, sampler, health, deps, searchAttributes, signal: end });
    }
    const stopFollowing = followFiles({ ...deps, logger }, config, accounts);
    const encryption = { payloads: payloads.codec.hasKeys ? 'encrypted' : 'in clear' };
    const facts = { namespace, ...whatIsServed(config), ...encryption, ...own.facts };
    logger.info('Worker is ready', facts);
    void warnUnlessCurrent({ ...deps, logger }, own.option.version);
    await runWorkers(workers, signal).finally(stopFollowing);
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

function hideTemporalKey({ connectionOptions: { apiKey } }: TemporalConfig): void {
  if (typeof apiKey === 'string') hideSecret(apiKey);
}

function whatIsServed({ accounts }: WorkerConfig): object {
  const [first, ...others] = accounts;
  return first !== undefined && others.length === 0
    ? { account: first.name, api: first.baseUrl }
    : { accounts: accounts.map(({ name }) => name) };
}

/** The codec and the bundle of its kind. */
async function openPayloads({ codecKeys, workflowStacks }: WorkerConfig, logger: Logger) {
  const codec = await openLoggedCodec(codecKeys, logger);
  const codePath = bundlePath([
    ...(codec.hasKeys ? [BundlePart.encrypted] : []),
    ...(workflowStacks ? [BundlePart.stacks] : []),
  ]);
  return { codec, workflowBundle: { codePath } };
}

const SEARCH_ATTRIBUTES_MISSING =
  'The namespace lacks the search attributes; runs are started without them';

async function findSearchAttributes(
  connection: NativeConnection,
  namespace: string,
  logger: Logger,
): Promise<boolean> {
  const areThere = await hasSearchAttributes(connection, namespace);
  if (!areThere) logger.warn(SEARCH_ATTRIBUTES_MISSING, { fix: CREATE_SEARCH_ATTRIBUTES });
  return areThere;
}

function toPrepareSettings(
  config: WorkerConfig,
  { poll, searchAttributes }: { poll: PollPolicy; searchAttributes: boolean },
): PrepareSettings {
  const { accounts, accountsFile, reconcileGraceMs, watcher, webhooks, clearSecrets, callApi } =
    config;
  const [first] = accounts;
  return {
    // Without an accounts file, the settings of the only account count for every input.
    defaults: { projectId: first?.projectId, regionId: first?.regionId },
    ...(accountsFile && { accounts: accountsFile.profiles }),
    policy: { poll, reconcileGraceMs, searchAttributes, watcher, traceTasks: true },
    callApi,
    ...(webhooks && { webhooks }),
    ...(clearSecrets && { secretsPolicy: clearSecrets }),
  };
}
