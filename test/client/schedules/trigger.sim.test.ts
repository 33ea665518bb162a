import { describe, expect, it } from '@jest/globals';

import { createGcoreWorkflows } from '../../../src/client/gcore-workflows.js';
import { inScenario } from '../../simulation/scenario.js';

describe('a trigger while no run is open', () => {
  it.each(['skip', 'wait', 'allow'] as const)(
    'of a schedule with the rule %s starts one',
    (overlap) =>
      inScenario({}, async ({ client, taskQueue, account }) => {
        const { schedules } = createGcoreWorkflows({ client, taskQueue });
        const scheduleId = `keys-${account}-${overlap}`;
        await schedules.create('listSshKeys', {
          ...{ scheduleId, input: { account }, overlap },
          ...{ every: '200 days', paused: true },
        });

        const { outcome, workflowId = '' } = await schedules.trigger(scheduleId);
        await client.workflow.getHandle(workflowId).result();
        await schedules.delete(scheduleId);

        expect(outcome).toBe('started');
      }),
  );
});
