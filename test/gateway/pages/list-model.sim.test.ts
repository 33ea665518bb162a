import { describe, expect, it } from '@jest/globals';

import { inScenario } from '../../simulation/scenario.js';
import { at, gatewayOf, gcoreOf } from '../../support/gateway/gateway-world.js';
import { provisionInput } from '../../support/inputs/provision-input.js';
import { resetRun } from '../../support/runs/reset-run.js';
import { until } from '../../support/timing/until.js';
import { holdTaskReads } from '../../support/worlds/hold-task-reads.js';

describe('the list of runs that need a person', () => {
  it('leaves out what an operator has ended and somebody goes on with', () =>
    inScenario({}, async (scenario) => {
      const { start, client, simulator } = scenario;
      const release = holdTaskReads(simulator);
      const [ended, reset] = [
        await start(
          'provisionInstance',
          provisionInput(),
          `provision-instance/${scenario.account}/ended`,
        ),
        await start(
          'provisionInstance',
          provisionInput(),
          `provision-instance/${scenario.account}/reset`,
        ),
      ];
      await until('both wait', () => simulator.inventory().instances.length === 2);
      await client.workflow.getHandle(ended.workflowId).terminate();
      await resetRun(client, reset, 'the last workflow task');
      const terminated = () => gcoreOf(scenario).list({ phase: 'terminated' });
      await until('the list shows both', async () => (await terminated()).length === 2);

      const page = await (await gatewayOf(scenario).request(at('/runs'))).text();
      const [, urgent = ''] = /id="urgent"(.*)id="all"/s.exec(page) ?? [];

      expect(urgent.match(/run-[\w-]+\/[\w-]+\/\w+/g)).toEqual([`run-${ended.workflowId}`]);
      release();
      await reset.result().catch(() => undefined);
    }));
});
