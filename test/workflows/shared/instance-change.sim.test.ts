import { describe, expect, it } from '@jest/globals';

import { statusQuery } from '../../../src/engine/core/messages.js';
import { createHeldLine } from '../held-line.js';
import { mostActions } from '../../support/worlds/marked.js';
import { resetRun } from '../../support/runs/reset-run.js';
import { failureOfRun } from '../../support/runs/run-failure.js';
import { inScenario, type Scenario } from '../../simulation/scenario.js';
import { until } from '../../support/timing/until.js';
import { instanceIdOf, stateWithInstances } from '../../support/worlds/instances.js';

const STATE = stateWithInstances([{ of: 1 }]);
const WANTED = { instanceId: instanceIdOf(1), flavor: 'g2-standard-4-8' };
const REBOOT = { instanceId: instanceIdOf(1), action: 'reboot' } as const;

const actions = ({ simulator }: Scenario) => mostActions(simulator.snapshot());

describe('a change of an instance, whose run has ended before its call', () => {
  it.concurrent('goes on with the call of a run that was terminated', async () => {
    const line = createHeldLine('POST', 1);
    await inScenario({ line: line.fetch, state: STATE, timeoutMs: 15_000 }, async (scenario) => {
      const first = await scenario.start('resizeInstance', WANTED, 'terminated-resize');
      await until('it sends its call', line.isHeld);
      await first.terminate('by an operator');
      const second = await scenario.start('resizeInstance', WANTED, 'terminated-resize');
      line.letGo();

      expect(await second.result()).toMatchObject({ flavor: 'g2-standard-4-8' });
      expect(mostActions(scenario.simulator.snapshot())).toBe(1);
    });
  });

  it.concurrent('lets no other run send while a call of a cancelled run may still arrive', () =>
    inScenario({ state: STATE }, async (scenario) => {
      scenario.simulator.faults.add({
        match: { method: 'POST', path: /changeflavor$/, times: 1 },
        action: { kind: 'delay', ms: 3_500 },
      });
      const first = await scenario.start('resizeInstance', WANTED);
      await until('its answer is lost', async () => {
        const { steps } = await first.query(statusQuery);
        return steps[0]?.state === 'outcome-unknown';
      });
      await first.cancel();
      const second = await scenario.start('resizeInstance', {
        ...WANTED,
        flavor: 'g2-standard-8-16',
      });

      await second.result();
      const { tasks } = scenario.simulator.snapshot();
      expect(tasks.map(({ plan }) => 'after' in plan && plan.after)).toMatchObject([
        { flavorId: 'g2-standard-4-8' },
        { flavorId: 'g2-standard-8-16' },
      ]);
    }),
  );

  it.concurrent('restarts once when it is reset to before its call', () =>
    inScenario({ state: STATE, replays: false }, async (scenario) => {
      const run = await scenario.start('setInstancePower', REBOOT);
      await run.result();

      const again = await resetRun(scenario.client, run, { sending: 'setInstancePower' });

      expect(await again.result()).toMatchObject({ status: 'ACTIVE' });
      expect(actions(scenario)).toBe(1);
    }),
  );

  it.concurrent(
    'restarts once when its request is started again after a run that was terminated',
    async () => {
      const line = createHeldLine('POST', 1);
      await inScenario({ line: line.fetch, state: STATE, timeoutMs: 15_000 }, async (scenario) => {
        const first = await scenario.start('setInstancePower', REBOOT, 'terminated-reboot');
        await until('it sends its call', line.isHeld);
        line.letGo();
        await until('its call was taken', () => actions(scenario) === 1);
        await first.terminate('by an operator');
        const second = await scenario.start('setInstancePower', REBOOT, 'terminated-reboot');

        expect(await second.result()).toMatchObject({ status: 'ACTIVE' });
        expect(actions(scenario)).toBe(1);
      });
    },
  );
});

describe('a change of an instance, whose task fails', () => {
  it.concurrent('fails as TaskFailed, and says what the instance is', () =>
    inScenario({ state: STATE }, async (scenario) => {
      scenario.simulator.faults.add({
        match: { method: 'POST', path: /action$/, times: 1 },
        action: { kind: 'task-error', error: 'internal error', leftovers: 'none' },
      });
      const run = await scenario.start('setInstancePower', { ...REBOOT, action: 'stop' });

      expect(await failureOfRun(run)).toMatchObject({
        type: 'TaskFailed',
        message: expect.stringContaining('The instance is ACTIVE.'),
      });
    }),
  );
});
