import type { Logger } from '@temporalio/worker';

import { createApiKeys, type CallObserver, type SecretSource } from '../activities/index.js';
import type { AccountConfig, WorkerConfig } from '../config.js';
import { hideSecret } from '../observe/known-secrets.js';
import type { Tracing } from '../observe/tracing/start-tracing.js';
import { createAccountBreakers } from './account-breakers.js';
import type { AccountOptions } from './create-workers.js';
import { followKey } from './follow-key.js';
import { createPaceLog } from './log-pace.js';
import { createAccountMetrics, type AccountMetrics } from './metrics/account-metrics.js';
import type { WorkerInstruments } from './metrics/instruments.js';
import type { Sampler } from './metrics/sampler.js';
import { createSecretSource } from './secrets/create-secret-source.js';
import { composeObservers } from './tracing.js';

/** An account with its own key, budget, breakers, log lines and metrics. */
export interface ServedAccount {
  options: AccountOptions;
  /** Takes over keys that are written into its file. Returns the function that ends it. */
  followKey: (onReplaced: () => void) => () => void;
}

export interface ServeAccountDeps {
  logger: Logger;
  metrics: WorkerInstruments;
  sampler: Sampler;
  tracing: Tracing | undefined;
}

const NOT_WATCHING =
  'The list of tasks cannot be read; the runs of the account look by themselves, less often';

/** The accounts of a worker. What they name as secrets is in one place. */
export function serveAccounts(
  { accounts, secrets: place, tasksPath }: Pick<WorkerConfig, 'accounts' | 'secrets' | 'tasksPath'>,
  deps: ServeAccountDeps,
): ServedAccount[] {
  const secrets = createSecretSource(place);
  return accounts.map((account) => serveAccount(account, { ...deps, secrets, tasksPath }));
}

function serveAccount(
  config: AccountConfig,
  deps: ServeAccountDeps & { secrets: SecretSource; tasksPath: string },
): ServedAccount {
  const { logger, secrets, tasksPath } = deps;
  const { name, requestsPerSecond, baseUrl, authScheme, keyFile } = config;
  const account = { name, requestsPerSecond };
  hideSecret(config.apiKey);
  const keys = createApiKeys(config.apiKey);
  const metrics = createAccountMetrics(name, deps);
  const breakers = createAccountBreakers(account, logger, metrics.breakers);
  const observer = observerOf(config, metrics, deps.tracing);
  return {
    options: {
      ...account,
      secrets,
      onPace: createPaceLog(account, logger),
      api: { baseUrl, authScheme, tasksPath, apiKey: keys, breakers, observer },
      onBudget: metrics.onBudget,
      onDelivery: metrics.onDelivery,
      watch: toWatchEvents(name, logger, metrics),
    },
    followKey: (onReplaced) => {
      // The environment of a process does not change.
      if (keyFile === undefined) return () => undefined;
      return followKey({
        account: name,
        path: keyFile,
        keys,
        logger,
        onReplaced: () => {
          hideSecret(keys.current());
          breakers.keyReplaced();
          onReplaced();
        },
      });
    },
  };
}

function toWatchEvents(
  account: string,
  logger: Logger,
  { onWatcher, onListReadable }: AccountMetrics,
): NonNullable<AccountOptions['watch']> {
  return {
    onWatcher,
    onNotWatching: (reason) => {
      onListReadable(false);
      logger.warn(NOT_WATCHING, { account, reason });
    },
    onWatching: () => {
      onListReadable(true);
      logger.info('The list of tasks can be read again', { account });
    },
  };
}

function observerOf(
  { name, baseUrl }: AccountConfig,
  { observer }: AccountMetrics,
  tracing: Tracing | undefined,
): CallObserver {
  if (tracing === undefined) return observer;
  return composeObservers([tracing.callSpans(name, new URL(baseUrl).host), observer]);
}
