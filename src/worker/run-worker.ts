import { DefaultLogger, Runtime, type Logger } from '@temporalio/worker';

import { createManifestReader, type PrepareDeps } from '../activities/index.js';
import {
  loadTemporalConfig,
  loadWorkerConfig,
  type TemporalConfig,
  type WorkerConfig,
} from '../config.js';
import { DEFAULT_POLL_POLICY, type PollPolicy } from '../contract/run-policy.js';
import { createAccountBreakers } from './account-breakers.js';
import { connectToTemporal } from './connect.js';
import { createWorkers, runWorkers, type AccountOptions } from './create-workers.js';
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
  const logger = options.logger ?? new DefaultLogger('INFO');
  const signal = options.signal ?? new AbortController().signal;
  Runtime.install({ logger });
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
    if (!searchAttributes) logger.warn(SEARCH_ATTRIBUTES_MISSING, { fix: SEARCH_ATTRIBUTES_FIX });
    const workers = await createWorkers({
      connection,
      namespace,
      workflowBundle: { codePath: WORKFLOW_BUNDLE_PATH },
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
  }
}

const SEARCH_ATTRIBUTES_MISSING =
  'The namespace lacks the search attributes; runs are started without them';
const SEARCH_ATTRIBUTES_FIX =
  'temporal operator search-attribute create --name GcorePhase --type Keyword --name GcoreAccount --type Keyword --name GcoreResourceId --type KeywordList';

function toPrepareDeps(
  { projectId, regionId, reconcileGraceMs, watcher }: WorkerConfig,
  { poll, searchAttributes }: { poll: PollPolicy; searchAttributes: boolean },
): PrepareDeps {
  return {
    defaults: { projectId, regionId },
    policy: { poll, reconcileGraceMs, searchAttributes, watcher, traceTasks: true },
  };
}

function toAccount(config: WorkerConfig, logger: Logger): AccountOptions {
  const account = { name: config.account, requestsPerSecond: config.requestsPerSecond };
  return { ...account, api: { ...config, breakers: createAccountBreakers(account, logger) } };
}
