import { describe, expect, it } from '@jest/globals';

import { planOf } from '../support/runs/plan-of.js';
import { inScenario } from '../simulation/scenario.js';
import { instanceIdOf, stateWithInstances } from '../support/worlds/instances.js';

const STATE = stateWithInstances([{ of: 1 }, { of: 2, status: 'SHUTOFF' }]);
const RUNNING = { instanceId: instanceIdOf(1) };
const STOPPED = { instanceId: instanceIdOf(2) };

describe('setInstancePower', () => {
  it.each([
    { action: 'start', target: RUNNING, before: 'ACTIVE', status: 'ACTIVE', calls: 0 },
    { action: 'stop', target: STOPPED, before: 'SHUTOFF', status: 'SHUTOFF', calls: 0 },
    { action: 'start', target: STOPPED, before: 'SHUTOFF', status: 'ACTIVE', calls: 1 },
    { action: 'stop', target: RUNNING, before: 'ACTIVE', status: 'SHUTOFF', calls: 1 },
    { action: 'reboot', target: RUNNING, before: 'ACTIVE', status: 'ACTIVE', calls: 1 },
    { action: 'reboot_hard', target: STOPPED, before: 'SHUTOFF', status: 'ACTIVE', calls: 1 },
  ] as const)('does $action of $before with $calls calls', ({ action, target, calls, ...shown }) =>
    inScenario({ state: STATE, record: 'instance-restarted' }, async (scenario) => {
      const run = await scenario.start('setInstancePower', { ...target, action });

      const { taskIds, ledger, ...result } = await run.result();

      expect(result).toEqual({ ...target, ...shown });
      expect(taskIds).toHaveLength(calls);
      expect(ledger[0]?.note).toBe(`${shown.before} → ${shown.status}`);
      expect(scenario.mutations()).toHaveLength(calls);
    }),
  );

  it.each([
    ['stop', RUNNING, [expect.stringContaining('ends')]],
    ['start', STOPPED, []],
  ] as const)('plans what %s cannot undo', (action, target, irreversible) =>
    inScenario({ state: STATE }, async (scenario) => {
      const plan = await planOf(scenario, 'setInstancePower', { input: { ...target, action } });

      expect(plan).toMatchObject({ ready: true, irreversible });
    }),
  );
});
