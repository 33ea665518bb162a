import { describe, expect, it } from '@jest/globals';

import { abortUpdate, statusQuery } from '../../src/engine/core/messages.js';
import { provisionInput } from '../support/inputs/provision-input.js';
import { endOfRun } from '../support/runs/run-failure.js';
import { inScenario, type Scenario } from '../simulation/scenario.js';
import { until } from '../support/timing/until.js';
/** A proxy that does not find the API answers everything by itself. */
const LOST_WAY = {
  match: { path: /^\/cloud\//, times: Infinity },
  action: {
    kind: 'status',
    status: 404,
    body: '<html><center>404 Not Found</center><hr>nginx</html>',
    contentType: 'text/html',
  },
} as const;

/** A run whose create was accepted right before the proxy has lost its way. */
async function cutOff({ start, simulator }: Scenario) {
  const run = await start('provisionInstance', provisionInput());
  await until('the create was accepted', async () => {
    const { steps } = await run.query(statusQuery);
    return steps.some(({ taskIds }) => taskIds.length > 0);
  });
  simulator.faults.add(LOST_WAY);
  return run;
}

async function untilItSays(run: Awaited<ReturnType<typeof cutOff>>): Promise<void> {
  await until('the run says what it meets', async () =>
    JSON.stringify(await run.query(statusQuery)).includes('by a web page, not by the API'),
  );
}

describe('while a proxy answers 404 with its own page', () => {
  it('a run waits, and then succeeds', () =>
    inScenario({ speed: 20 }, async (scenario) => {
      const run = await cutOff(scenario);

      await untilItSays(run);
      scenario.simulator.faults.clear();

      expect(await run.result()).toMatchObject({ status: 'ACTIVE' });
    }));

  it('a rollback believes nothing to be gone, and then removes it', () =>
    inScenario({ speed: 20 }, async (scenario) => {
      const { simulator } = scenario;
      const run = await cutOff(scenario);

      await run.executeUpdate(abortUpdate, { args: [{}] });
      await untilItSays(run);
      simulator.faults.clear();

      expect(await endOfRun(run)).toMatchObject({ type: 'Aborted' });
      expect(simulator.inventory().instances).toEqual([]);
    }));
});
