import { describe, expect, it } from '@jest/globals';

import { replaceInput } from '../support/operations/replace-instance.js';
import { gcoreOf } from '../support/gateway/gateway-world.js';
import { thrownBy } from '../support/http/in-activity.js';
import { failureOfRun } from '../support/runs/run-failure.js';
import { stateWithInstances } from '../support/worlds/instances.js';
import { inScenario } from '../simulation/scenario.js';

const STATE = stateWithInstances([{ of: 1 }]);

/** The run of the request "a" would cancel it as an earlier try of its own part. */
describe('a request with the name of a part of another one', () => {
  it('is refused by the client, as a plan too', () =>
    inScenario({ state: STATE }, async (scenario) => {
      const gcore = gcoreOf(scenario);
      const input = { ...replaceInput(), account: scenario.account };
      const request = { requestId: 'a/instance', input };
      const named = { requestId: 'b', workflowId: 'nightly/undo', input };

      const refused = [
        await thrownBy(() => gcore.start('replaceInstance', request)),
        await thrownBy(() => gcore.start('replaceInstance', named)),
        await thrownBy(() => gcore.startPlan('replaceInstance', request)),
      ];

      expect(refused).toMatchObject([
        { faults: [{ path: 'requestId', message: expect.stringContaining('"/instance"') }] },
        { faults: [{ path: 'workflowId', message: expect.stringContaining('"/undo"') }] },
        { faults: [{ path: 'requestId', message: expect.stringContaining('"/instance"') }] },
      ]);
    }));

  it('is refused by the worker when another client starts it', () =>
    inScenario({ state: STATE }, async (scenario) => {
      const { account, client, taskQueue } = scenario;
      const workflowId = `replace-instance/${account}/a/instance`;
      const args = [{ ...replaceInput(), account }];

      const run = await client.workflow.start('replaceInstance', { workflowId, taskQueue, args });

      expect(await failureOfRun(run)).toMatchObject({
        type: 'InvalidInput',
        message: expect.stringContaining('workflowId: must not end in "/instance"'),
      });
    }));
});
