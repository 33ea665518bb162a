import { randomUUID } from 'node:crypto';
import { resolve } from 'node:path';

import type { WebhookSettings } from '../../../src/engine/core/webhook-settings.js';
import { createWorkflowWorker, runWorkers } from '../../../src/worker/create-workers.js';
import { starterOf, type Scenario } from '../../support/runs/scenario.js';
import { testPolicy } from '../../support/runs/test-policy.js';
import { askToMove, makeCurrent } from '../../support/workers/deployments.js';

/** A deployment of two versions, with the same code, beside the account workers of a scenario. */
export interface PinnedWorkers {
  start: Scenario['start'];
  promote: (build: 'one' | 'two') => Promise<void>;
  drain: (build: 'one' | 'two') => Promise<string[]>;
  /** The build that a run is pinned to; `undefined` before its first workflow task. */
  buildOf: (workflowId: string) => Promise<string | undefined>;
}

/** The version `one` is current at first. */
export async function withPinnedWorkers(
  scenario: Scenario,
  { webhooks, speed = 100 }: { webhooks?: WebhookSettings; speed?: number },
  use: (workers: PinnedWorkers) => Promise<void>,
): Promise<void> {
  const { client, account, connectNative } = scenario;
  const deployment = `pinned-${randomUUID().slice(0, 8)}`;
  const version = (buildId: string) => ({ deploymentName: deployment, buildId });
  const connection = await connectNative();
  const workers = await Promise.all(
    ['one', 'two'].map((buildId) =>
      createWorkflowWorker({
        connection,
        namespace: 'default',
        nexus: false,
        workflowTaskQueue: deployment,
        prepare: {
          defaults: { projectId: 1, regionId: 1 },
          policy: testPolicy({ speed }),
          ...(webhooks && { webhooks }),
        },
        workflowBundle: { codePath: resolve('dist/workflow-bundle.js') },
        version: version(buildId),
      }),
    ),
  );
  const stop = new AbortController();
  const running = runWorkers(workers, stop.signal);
  const promote = (build: string) => makeCurrent(client, version(build));
  try {
    await promote('one');
    await use({
      promote,
      drain: (build) => askToMove(client, version(build)),
      start: starterOf({ client, account, taskQueue: deployment }),
      async buildOf(workflowId) {
        const { raw } = await client.workflow.getHandle(workflowId).describe();
        return raw.workflowExecutionInfo?.versioningInfo?.deploymentVersion?.buildId ?? undefined;
      },
    });
  } finally {
    stop.abort();
    await running;
  }
}
