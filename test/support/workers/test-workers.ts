import type { BreakersOptions } from '../../../src/activities/gcore-api.js';
import type { PrepareSettings } from '../../../src/activities/index.js';
import type { AccountOptions } from '../../../src/worker/create-workers.js';
import type { WorkerVersion } from '../../../src/worker/worker-version.js';

/** Describes the workers of one account: the workflow worker, and the workers that call the API. */
export interface WorkersSpec {
  /** The address of the Temporal server. */
  address: string;
  namespace: string;
  /** The file with the workflow bundle. */
  codePath: string;
  /** The queue of the workflow worker. Default: a queue for this spec, or for all equal specs. */
  taskQueue?: string;
  /** False: the workflow worker serves this spec only, and `close` stops it. */
  sharesWorker: boolean;
  /** The version of the workflow worker; without it the worker is not versioned. */
  version?: WorkerVersion;
  prepare: Pick<PrepareSettings, 'defaults' | 'policy' | 'webhooks' | 'secretsPolicy' | 'callApi'>;
  /** The worker reads manifests below this directory. */
  manifestRoot?: string;
  /** The secrets that inputs name are files of this directory. */
  secretsFolder?: string;
  /** False: runs ask for a watcher, but no worker has one. */
  watches: boolean;
  account: Omit<AccountOptions, 'api' | 'secrets'> & {
    api: Pick<AccountOptions['api'], 'baseUrl' | 'apiKey' | 'timeoutMs'>;
    breakers?: Omit<BreakersOptions, 'onOpen' | 'onClose'>;
  };
}

export interface TestWorkers {
  /** The queue of the workflow worker. */
  taskQueue: string;
  /** Stops the workers. Resolves when they have drained. */
  close: () => Promise<void>;
}

/** How the workers call the API. These functions cannot be sent to another process. */
export type InProcess = Pick<AccountOptions['api'], 'breakers' | 'fetch' | 'observer'>;
