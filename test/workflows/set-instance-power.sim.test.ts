import { describe, expect, it } from '@jest/globals';

import { resumeUpdate, statusQuery } from '../../src/engine/core/messages.js';
import { planOf } from '../support/runs/plan-of.js';
import { callByHand } from '../support/http/call-by-hand.js';
import { failureOfRun } from '../support/runs/run-failure.js';
import { untilBlocked } from '../support/runs/until-blocked.js';
import { until } from '../support/timing/until.js';
import { inScenario, type Scenario } from '../simulation/scenario.js';
import { instanceIdOf, stateWithInstances } from '../support/worlds/instances.js';

const STATE = stateWithInstances([
  { of: 1 },
  { of: 2, status: 'SHUTOFF' },
  { of: 3, status: 'ERROR' },
]);
const RUNNING = { instanceId: instanceIdOf(1) };
const STOPPED = { instanceId: instanceIdOf(2) };
const BROKEN = { instanceId: instanceIdOf(3) };
const ACTION = { method: 'POST', path: `/cloud/v2/instances/1/1/${RUNNING.instanceId}/action` };

/** The API turns the call away, and does not say why. */
const turnAway = ({ simulator }: Scenario, times: number): void => {
  simulator.faults.add({
    match: { ...ACTION, times },
    action: { kind: 'status', status: 409, body: { message: 'Invalid state' } },
  });
};

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
    ['reboot', STOPPED, 'The instance is SHUTOFF: no reboot is possible'],
    ['start', BROKEN, 'The instance is ERROR: no start is possible'],
  ] as const)(
    'refuses to %s an instance that is not in the state for it',
    (action, target, message) =>
      inScenario({ state: STATE }, async (scenario) => {
        const input = { ...target, action };
        const findings = [{ severity: 'fault', path: 'action', message }];

        expect(await planOf(scenario, 'setInstancePower', { input })).toMatchObject({ findings });
        const failed = await failureOfRun(await scenario.start('setInstancePower', input));
        expect(failed).toMatchObject({ type: 'InvalidRequest' });
        expect(scenario.mutations()).toEqual([]);
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

describe('a change that the API turns away with 409', () => {
  const REBOOT = { ...RUNNING, action: 'reboot' } as const;

  it('is refused in the words of the API when nothing shows a lock', () =>
    inScenario({ state: STATE }, async (scenario) => {
      turnAway(scenario, Infinity);

      const failed = await failureOfRun(await scenario.start('setInstancePower', REBOOT));

      expect(failed).toMatchObject({ type: 'InvalidRequest' });
      expect(failed.message).toMatch(/no task and no status says.*409 \(Invalid state\)/);
      expect(scenario.mutations()).toHaveLength(3);
    }));

  it('is sent again where that happens once or twice', () =>
    inScenario({ state: STATE }, async (scenario) => {
      turnAway(scenario, 2);
      const run = await scenario.start('setInstancePower', REBOOT);

      expect(await run.result()).toMatchObject({ status: 'ACTIVE' });
      expect(scenario.mutations()).toHaveLength(3);
    }));

  it('waits for the end of a task that locks the instance', () =>
    inScenario({ state: STATE }, async (scenario) => {
      const slow = { kind: 'slow-task', factor: 20 } as const;
      scenario.simulator.faults.add({
        match: { method: 'POST', path: /changeflavor/ },
        action: slow,
      });
      const resize = `POST /cloud/v1/instances/1/1/${RUNNING.instanceId}/changeflavor`;
      await callByHand(scenario.api, resize, { flavor_id: 'g2-standard-4-8' });
      turnAway(scenario, 5);
      const run = await scenario.start('setInstancePower', REBOOT);

      expect(await run.result()).toMatchObject({ status: 'ACTIVE' });
      expect(scenario.mutations().length).toBeGreaterThan(5);
    }));

  it('asks whether it is still wanted when somebody has changed the status while it was blocked', () =>
    inScenario({ state: STATE, policy: { probeMs: 60_000 } }, async (scenario) => {
      const { simulator, start, api } = scenario;
      const locked = {
        kind: 'status',
        status: 409,
        body: { message: 'locked by task 4711' },
      } as const;
      simulator.faults.add({ match: { ...ACTION, times: Infinity }, action: locked });
      const run = await start('setInstancePower', { ...RUNNING, action: 'reboot_hard' });
      await untilBlocked(run, 'ResourceBusy');
      simulator.faults.clear();
      await callByHand(api, `POST ${ACTION.path}`, { action: 'stop' });
      const said = async () => (await run.query(statusQuery)).blocked?.message ?? '';

      await until('it asks', async () => (await said()).includes('from ACTIVE to SHUTOFF'));
      const sent = scenario.mutations().length;
      await run.executeUpdate(resumeUpdate, { args: [{}] });

      expect(await run.result()).toMatchObject({ before: 'SHUTOFF', status: 'ACTIVE' });
      // The ten that were turned away, and what was done by hand.
      expect(sent).toBe(11);
      expect(scenario.mutations()).toHaveLength(12);
    }));
});
