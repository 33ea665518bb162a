import { describe, expect, it } from '@jest/globals';
import type { WorkflowHandle } from '@temporalio/client';

import { resumeUpdate, statusQuery } from '../../../src/engine/core/messages.js';
import type { FaultAction } from '../../../src/simulator/index.js';
import { inScenario, type Scenario } from '../../simulation/scenario.js';
import { callByHand } from '../../support/http/call-by-hand.js';
import { endOfRun } from '../../support/runs/run-failure.js';
import { untilBlocked } from '../../support/runs/until-blocked.js';
import { until } from '../../support/timing/until.js';
import { instanceIdOf, stateWithInstances } from '../../support/worlds/instances.js';

/** A change that was blocked is sent by itself only while the status is as before, whatever has blocked it. */
const STATE = stateWithInstances([{ of: 1 }]);
const instanceId = instanceIdOf(1);
const INSTANCE = `/cloud/v1/instances/1/1/${instanceId}`;
const ACTION = `/cloud/v2/instances/1/1/${instanceId}/action`;
const REFUSED = { kind: 'status', status: 403, body: { message: 'Not allowed' } } as const;
const LOCKED = { kind: 'status', status: 409, body: { message: 'locked by task 47' } } as const;
const NO_ROOM = {
  kind: 'task-error',
  error: 'No valid host was found',
  leftovers: 'none',
} as const;

interface Case {
  because: string;
  type: string;
  start: (scenario: Scenario) => Promise<WorkflowHandle>;
  /** The call, what becomes of it, and which one of its kind it is. */
  faults: [{ method: string; path: string; nth?: number }, FaultAction][];
}

const restart = ({ start }: Scenario) =>
  start('setInstancePower', { instanceId, action: 'reboot_hard' });
const resize = ({ start }: Scenario) =>
  start('resizeInstance', { instanceId, flavor: 'g2-standard-4-8' });
const RESTART = { method: 'POST', path: ACTION };
const RESIZE = { method: 'POST', path: `${INSTANCE}/changeflavor` };

const BY_KEY: Case = {
  because: 'the API refuses the key',
  type: 'Unauthorized',
  start: restart,
  faults: [[RESTART, REFUSED]],
};
const CASES: Case[] = [
  BY_KEY,
  {
    because: 'there is no room',
    type: 'CapacityUnavailable',
    start: resize,
    faults: [[RESIZE, NO_ROOM]],
  },
  {
    because: 'a read between two tries is refused',
    type: 'Unauthorized',
    start: resize,
    faults: [
      [RESIZE, LOCKED],
      [
        { method: 'GET', path: INSTANCE, nth: 2 },
        { kind: 'status', status: 401 },
      ],
    ],
  },
];

/** Starts it, and waits until it is blocked. Then somebody stops the machine. */
async function stoppedWhileBlocked(scenario: Scenario, { faults, start, type }: Case) {
  for (const [match, action] of faults) scenario.simulator.faults.add({ match, action });
  const run = await start(scenario);
  await untilBlocked(run, type);
  await callByHand(scenario.api, `POST ${ACTION}`, { action: 'stop' });
  await until('it is stopped', () => statusOf(scenario) === 'SHUTOFF');
  return run;
}

const statusOf = ({ simulator }: Scenario) => simulator.inventory().instances[0]?.status;
const SLOW = { probeMs: 60_000 };

describe('a change that was blocked', () => {
  it.each(CASES)('asks before it changes a machine that was stopped while $because', (given) =>
    inScenario({ state: STATE, policy: SLOW }, async (scenario) => {
      const run = await stoppedWhileBlocked(scenario, given);
      const before = scenario.mutations();

      await untilBlocked(run, 'ResourceBusy');
      const { blocked } = await run.query(statusQuery);
      expect(blocked?.message).toContain('the status changed from ACTIVE to SHUTOFF');
      expect(scenario.mutations()).toEqual(before);

      // A person has decided.
      await run.executeUpdate(resumeUpdate, { args: [{}] });
      await run.result();
      expect(scenario.mutations()).toHaveLength(before.length + 1);
    }),
  );

  it('looks again also when it tries at once, with many others', () =>
    inScenario({ state: STATE, policy: SLOW }, async (scenario) => {
      const run = await stoppedWhileBlocked(scenario, BY_KEY);
      const before = scenario.mutations();
      await run.executeUpdate(resumeUpdate, { args: [{ ofMany: true }] });

      await untilBlocked(run, 'ResourceBusy');
      expect(scenario.mutations()).toEqual(before);
      await run.cancel();
      await endOfRun(run);
    }));

  it('goes on by itself while the status is as before', () =>
    inScenario({ state: STATE, policy: SLOW }, async (scenario) => {
      scenario.simulator.faults.add({ match: RESTART, action: REFUSED });
      const run = await restart(scenario);
      await untilBlocked(run, 'Unauthorized');

      expect(await run.result()).toMatchObject({ before: 'ACTIVE', status: 'ACTIVE' });
    }));
});
