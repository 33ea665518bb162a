import { IllegalStateError, Runtime, type Logger, type NativeConnection } from '@temporalio/worker';

import { createManifestReader, type PrepareDeps } from '../activities/index.js';
import {
  loadTemporalConfig,
  loadWorkerConfig,
  type TemporalConfig,
  type WorkerConfig,
} from '../config.js';
import { CREATE_SEARCH_ATTRIBUTES } from '../contract/create-search-attributes.js';
import { DEFAULT_POLL_POLICY, type PollPolicy } from '../contract/run-policy.js';
import { connectToTemporal } from './connect.js';
import { createWorkers, runWorkers } from './create-workers.js';
import { followFiles } from './follow-files.js';
import { createLogger } from './logger.js';
import { hasNexus } from './nexus/has-nexus.js';
import { createSdkLogger } from './sdk-logger.js';
import { hasSearchAttributes } from './search-attributes.js';
import { serveAccount } from './serve-account.js';
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
    const searchAttributes = await findSearchAttributes(connection, namespace, logger);
    const accounts = config.accounts.map((account) => serveAccount(account, logger));
    const workers = await createWorkers({
      connection,
      namespace,
      workflowBundle: { codePath: WORKFLOW_BUNDLE_PATH },
      nexus: await hasNexus(connection),
      prepare: toPrepareDeps(config, {
        poll: options.poll ?? DEFAULT_POLL_POLICY,
        searchAttributes,
      }),
      accounts: accounts.map((account) => account.options),
      manifests: createManifestReader({ root: config.manifestRoot, hosts: config.manifestHosts }),
    });
    const stopFollowing = followFiles({ connection, namespace, logger }, config, accounts);
    logger.info('Worker is ready', { namespace, ...whatIsServed(config) });
    await runWorkers(workers, signal).finally(stopFollowing);
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

function whatIsServed({ accounts }: WorkerConfig): object {
  const [first, ...others] = accounts;
  return first !== undefined && others.length === 0
    ? { account: first.name, api: first.baseUrl }
    : { accounts: accounts.map(({ name }) => name) };
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

function toPrepareDeps(
  { accounts, accountsFile, reconcileGraceMs, watcher, webhooks }: WorkerConfig,
  { poll, searchAttributes }: { poll: PollPolicy; searchAttributes: boolean },
): PrepareDeps {
  const [first] = accounts;
  return {
    // Without an accounts file, the settings of the only account count for every input.
    defaults: { projectId: first?.projectId, regionId: first?.regionId },
    ...(accountsFile && { accounts: accountsFile.profiles }),
    policy: { poll, reconcileGraceMs, searchAttributes, watcher, traceTasks: true },
    ...(webhooks && { webhooks }),
  };
}
