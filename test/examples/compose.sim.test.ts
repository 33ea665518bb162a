import { randomUUID } from 'node:crypto';

import { describe, expect, it } from '@jest/globals';
import { Worker } from '@temporalio/worker';

import type { launchSite } from '../../examples/compose/launch-site.js';
import { contentOf, stateWithStores, STORE } from '../support/worlds/kv-stores.js';
import { PORTS } from '../support/inputs/protect-input.js';
import { provisionInput } from '../support/inputs/provision-input.js';
import { inScenario } from '../simulation/scenario.js';
import { bundleWorkflows } from '../support/workers/bundle-workflows.js';

describe("another team's workflow", () => {
  it('runs the operations as typed children on its own worker', () =>
    inScenario(
      { state: stateWithStores() },
      async ({ client, connectNative, account, taskQueue, simulator }) => {
        const codePath = await bundleWorkflows('examples/compose/launch-site.ts');
        const workflowBundle = { codePath };
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
