import { randomUUID } from 'node:crypto';

import { describe, expect, it } from '@jest/globals';

import { createGcoreWorkflows } from '../../src/client/index.js';
import { provisionInput } from '../support/inputs/provision-input.js';
import { inScenario } from '../simulation/scenario.js';
import { until } from '../support/timing/until.js';
describe('the status of a terminated run', () => {
  it('waits for nothing and does not guess what the API goes on with', () =>
    inScenario({ speed: 1, replays: false }, async ({ client, taskQueue, account }) => {
      const gcore = createGcoreWorkflows({ client, taskQueue });
      const { workflowId } = await gcore.start('provisionInstance', {
        requestId: `order-${randomUUID()}`,
        input: { ...provisionInput(), account },
      });
      const phaseNow = async () => (await gcore.status(workflowId)).phase;
      await until('it waits for its task', async () => (await phaseNow()) === 'waiting');
      await client.workflow.getHandle(workflowId).terminate('wrong button');

      const { phase, waiting, steps } = await gcore.status(workflowId);

      expect(phase).toBe('failed');
      expect(waiting).toBeUndefined();
      expect(steps).toMatchObject([
        {
          name: 'create instance',
          state: 'outcome-unknown',
          endedAt: expect.stringMatching(/Z$/),
          note: 'the run was terminated or timed out before this step was done',
        },
        { name: 'verify instance', state: 'planned' },
      ]);
    }));
});
