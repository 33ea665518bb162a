// JavaScript, because it runs as a separate process, from the build.
import { NativeConnection, Runtime } from '@temporalio/worker';

import { createManifestReader } from '../../../dist/activities/index.js';
import { createBreakers } from '../../../dist/activities/http/circuit-breaker.js';
import { DEFAULT_POLL_POLICY, scalePollPolicy } from '../../../dist/contract/run-policy.js';
import { createWorkers, runWorkers } from '../../../dist/worker/create-workers.js';
import { createLogger } from '../../../dist/worker/logger.js';
import { createFileSecrets } from '../../../dist/worker/secrets/file-secrets.js';

/**
 * A complete worker. It polls as fast as its simulated cloud works (`speed`). Its settings come as
 * JSON: see FastWorkerSettings of worker-process.ts.
 */
const settings = JSON.parse(process.env.FAST_WORKER ?? '{}');
/** Far above the need of a test, unless it is about the budget. */
const { requestsPerSecond = 1_000 } = settings;
Runtime.install({ logger: createLogger('INFO', (line) => process.stderr.write(`${line}\n`)) });
const breakers = createBreakers({
  probeMs: settings.probeMs,
  keyProbeMs: settings.probeMs,
  requestsPerSecond,
});
const connection = await NativeConnection.connect({ address: settings.address });
const workers = await createWorkers({
  connection,
  namespace: settings.namespace ?? 'default',
  workflowBundle: {
    codePath: new URL('../../../dist/workflow-bundle.js', import.meta.url).pathname,
  },
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
  },
  manifests: createManifestReader({ root: settings.manifestRoot }),
  accounts: [
    {
      name: 'default',
      api: {
        baseUrl: settings.baseUrl,
        apiKey: settings.apiKey,
        timeoutMs: settings.timeoutMs ?? 2_000,
        unexpectedRetryMs: settings.probeMs,
        breakers,
      },
      requestsPerSecond,
      ...(settings.secretsFolder && { secrets: createFileSecrets(settings.secretsFolder) }),
    },
  ],
});
process.stderr.write('Worker is ready\n');
await runWorkers(workers);
