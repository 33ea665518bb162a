import { randomUUID } from 'node:crypto';
import { resolve } from 'node:path';

import { describe, expect, it } from '@jest/globals';
import { bundleWorkflowCode, DefaultLogger, Worker } from '@temporalio/worker';

import type { launchSite } from '../../examples/compose/launch-site.js';
import { contentOf, stateWithStores, STORE } from '../support/worlds/kv-stores.js';
import { PORTS } from '../support/inputs/protect-input.js';
import { provisionInput } from '../support/inputs/provision-input.js';
import { inScenario } from '../support/runs/scenario.js';
describe("another team's workflow", () => {
  it('runs the operations as typed children on its own worker', () =>
    inScenario(
      { state: stateWithStores() },
      async ({ client, connectNative, account, taskQueue, simulator }) => {
        const workflowBundle = await bundleWorkflowCode({
          workflowsPath: resolve('examples/compose/launch-site.ts'),
          logger: new DefaultLogger('ERROR', () => undefined),
        });
        const queue = `compose-${account}`;
        const connection = await connectNative();
        const worker = await Worker.create({ connection, taskQueue: queue, workflowBundle });

        const site = await worker.runUntil(
          client.workflow.execute<typeof launchSite>('launchSite', {
            taskQueue: queue,
            workflowId: `site-${randomUUID()}`,
            args: [
              {
                account,
                projectId: 1,
                regionId: 1,
                machine: provisionInput().instance,
                protection: { profile_template: 12, fields: [PORTS] },
                storeId: STORE,
              },
              taskQueue,
            ],
          }),
        );

        const { instances, ddosProfiles } = simulator.inventory();
        expect(instances).toMatchObject([{ id: site.instanceId, status: 'ACTIVE' }]);
        expect(ddosProfiles).toMatchObject([
          { id: site.profileId, ip_address: site.address, options: { active: true } },
        ]);
        expect(contentOf(simulator)).toEqual({ origin: site.address });
      },
    ));
});
