import { IllegalStateError, Runtime, type Logger } from '@temporalio/worker';

import { createManifestReader, type PrepareDeps } from '../activities/index.js';
import {
  loadTemporalConfig,
  loadWorkerConfig,
  type TemporalConfig,
  type WorkerConfig,
} from '../config.js';
import { CREATE_SEARCH_ATTRIBUTES } from '../contract/create-search-attributes.js';
import { DEFAULT_POLL_POLICY, type PollPolicy } from '../contract/run-policy.js';
import { createAccountBreakers } from './account-breakers.js';
import { connectToTemporal } from './connect.js';
import { createWorkers, runWorkers, type AccountOptions } from './create-workers.js';
import { createPaceLog } from './log-pace.js';
import { createLogger } from './logger.js';
import { hasNexus } from './nexus/has-nexus.js';
import { createSecretSource } from './secrets/create-secret-source.js';
import { createSdkLogger } from './sdk-logger.js';
import { hasSearchAttributes } from './search-attributes.js';
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
  const logger =
    options.logger ?? createLogger('INFO', (line) => process.stderr.write(`${line}\n`));
  const signal = options.signal ?? new AbortController().signal;
  const runtime = installRuntime(logger);
  for (const notice of config.notices) logger.warn(notice);

  const connection = await connectToTemporal({
    connectionOptions: temporal.connectionOptions,
    signal,
    onRetry: (reason, waitMs) => {
      logger.warn('Temporal does not answer; trying again', { reason, waitMs });
    },
  });
  try {
    const namespace = temporal.namespace ?? 'default';
    const searchAttributes = await hasSearchAttributes(connection, namespace);
    if (!searchAttributes)
      logger.warn(SEARCH_ATTRIBUTES_MISSING, { fix: CREATE_SEARCH_ATTRIBUTES });
    const workers = await createWorkers({
      connection,
      namespace,
      workflowBundle: { codePath: WORKFLOW_BUNDLE_PATH },
      nexus: await hasNexus(connection),
      prepare: toPrepareDeps(config, {
        poll: options.poll ?? DEFAULT_POLL_POLICY,
        searchAttributes,
      }),
      accounts: [toAccount(config, logger)],
      manifests: createManifestReader({ root: config.manifestRoot, hosts: config.manifestHosts }),
    });
    logger.info('Worker is ready', { namespace, account: config.account, api: config.baseUrl });
    await runWorkers(workers, signal);
  } finally {
    await connection.close();
    // The SDK holds its log lines back for a moment. After a failure the process ends before that.
    runtime.flushLogs();
  }
}

/**
 * Sends everything that the SDK logs to `logger`. Without `forward` its native part would write
 * coloured text to stdout. A process that has a runtime already, such as a test with workers of its
 * own, keeps that one.
 */
function installRuntime(logger: Logger): Runtime {
  try {
    return Runtime.install({
      logger: createSdkLogger(logger),
      telemetryOptions: { logging: { filter: { core: 'WARN', other: 'ERROR' }, forward: {} } },
    });
  } catch (error) {
    if (error instanceof IllegalStateError) return Runtime.instance();
    throw error;
  }
}

const NOT_WATCHING =
  'The list of tasks cannot be read; the runs of the account look by themselves, less often';

const SEARCH_ATTRIBUTES_MISSING =
  'The namespace lacks the search attributes; runs are started without them';

function toPrepareDeps(
  { projectId, regionId, reconcileGraceMs, watcher, webhooks, clearSecrets }: WorkerConfig,
  { poll, searchAttributes }: { poll: PollPolicy; searchAttributes: boolean },
): PrepareDeps {
  return {
    defaults: { projectId, regionId },
    policy: { poll, reconcileGraceMs, searchAttributes, watcher, traceTasks: true },
    ...(webhooks && { webhooks }),
    ...(clearSecrets && { secretsPolicy: clearSecrets }),
  };
}

function toAccount(config: WorkerConfig, logger: Logger): AccountOptions {
  const account = { name: config.account, requestsPerSecond: config.requestsPerSecond };
  return {
    ...account,
    secrets: createSecretSource(config.secrets),
    onPace: createPaceLog(account, logger),
    api: { ...config, breakers: createAccountBreakers(account, logger) },
    watch: {
      onNotWatching: (reason) => {
        logger.warn(NOT_WATCHING, { account: config.account, reason });
      },
      onWatching: () => {
        logger.info('The list of tasks can be read again', { account: config.account });
      },
    },
  };
}
