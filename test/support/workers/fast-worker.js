// JavaScript, because it runs as a separate process, from the build.
import * as nodeModule from 'node:module';
import { resolve } from 'node:path';

import { NativeConnection, Runtime } from '@temporalio/worker';

import { createBreakers } from '../../../dist/activities/gcore-api.js';
import { DEFAULT_POLL_POLICY } from '../../../dist/contract/wire/tasks.js';
import { scalePollPolicy } from '../../../dist/engine/core/run-policy.js';
import { createLogger } from '../../../dist/observe/logger.js';
import {
  createAccountWorkers,
  createProcessParts,
  createWorkers,
  createWorkflowWorker,
  runWorkers,
} from '../../../dist/worker/create-workers.js';
import { openLoggedCodec } from '../../../dist/worker/logged-codec.js';
import { createFileSecrets } from '../../../dist/worker/secrets/create-secret-source.js';
import { bundlePath } from '../../../dist/worker/workflow-bundle.js';

/**
 * A complete worker. It polls as fast as its simulated cloud works (`speed`). Its settings come as
 * JSON: see FastWorkerSettings of worker-process.ts.
 */
const settings = JSON.parse(process.env.FAST_WORKER ?? '{}');
/** The secrets that plain requests name. */
const SECRETS_FOLDER = resolve(import.meta.dirname, '../secrets/named');
/** Far above the need of a test, unless it is about the budget. */
const { requestsPerSecond = 1_000 } = settings;
const logger = createLogger('INFO', (line) => process.stderr.write(`${line}\n`));
Runtime.install({ logger });
const breakers = createBreakers({
  probeMs: settings.probeMs,
  keyProbeMs: settings.probeMs,
  requestsPerSecond,
});
const connection = await NativeConnection.connect({ address: settings.address });
const keys = settings.codecKeysFile;
const codec = await openLoggedCodec(keys && { file: keys }, logger);
const account = {
  name: 'default',
  api: {
    baseUrl: settings.baseUrl,
    apiKey: settings.apiKey,
    timeoutMs: settings.timeoutMs ?? 2_000,
    breakers,
  },
  requestsPerSecond,
  secrets: createFileSecrets(settings.secretsFolder ?? SECRETS_FOLDER),
};
const options = {
  connection,
  codec,
  namespace: settings.namespace ?? 'default',
  workflowBundle: {
    codePath: settings.codePath ?? bundlePath(codec.hasKeys ? ['encrypted'] : []),
  },
  ...(settings.version && { version: settings.version }),
  prepare: {
    defaults: { projectId: 1, regionId: 1 },
    policy: {
      poll: scalePollPolicy(DEFAULT_POLL_POLICY, 1 / settings.speed),
      reconcileGraceMs: settings.reconcileGraceMs,
      probeMs: settings.probeMs,
      longestRetryMs: 4_000,
      searchAttributes: settings.namespace === undefined,
      watcher: settings.watcher ?? true,
      traceTasks: true,
    },
    secretsPolicy: settings.secretsPolicy,
    callApi: ['GET /cloud/v1/volumes/*/*/*', 'PATCH /cloud/v1/volumes/*/*/*'],
    ...(settings.webhooks && { webhooks: settings.webhooks }),
  },
  manifests: { root: settings.manifestRoot },
  ...(settings.cachedRuns && { cachedRuns: settings.cachedRuns }),
};

function createParts() {
  if (settings.part === 'workflows') return createWorkflowWorker(options).then((one) => [one]);
  if (settings.part === 'account') {
    return createAccountWorkers({ ...options, ...createProcessParts(options) }, account);
  }
  return createWorkers({ ...options, accounts: [account] });
}

const workers = await createParts();
// Most are killed: they could not keep it at their end.
if ('flushCompileCache' in nodeModule) nodeModule.flushCompileCache();
process.stderr.write('Worker is ready\n');
await runWorkers(workers);
