import { describe, expect, it } from '@jest/globals';

import { abortUpdate, resumeUpdate, statusQuery } from '../../../src/engine/core/messages.js';
import type { FaultAction } from '../../../src/simulator/index.js';
import { mostActions } from '../../support/worlds/marked.js';
import { inScenario, type Scenario } from '../../simulation/scenario.js';
import { untilBlocked } from '../../support/runs/until-blocked.js';
import { instanceIdOf, stateWithInstances } from '../../support/worlds/instances.js';

/** A restart stands for every change that only its task tells: the state is the same before and after. */
const STATE = stateWithInstances([{ of: 1 }]);
const RUNNING = { instanceId: instanceIdOf(1) };
const REBOOT = { ...RUNNING, action: 'reboot' } as const;

function onAction({ simulator }: Scenario, action: FaultAction): void {
  simulator.faults.add({ match: { method: 'POST', path: /\/action$/, times: 1 }, action });
}

const actions = ({ simulator }: Scenario) => mostActions(simulator.snapshot());

describe('a change that only its task tells', () => {
  it.each([
    ['the answer is lost', { kind: 'drop-response' }],
    ['the request is lost', { kind: 'drop-request' }],
    ['the call is carried out late', { kind: 'delay', ms: 2_300 }],
  ] satisfies [string, FaultAction][])('restarts once when %s', (_, action) =>
    inScenario({ state: STATE }, async (scenario) => {
      onAction(scenario, action);
      const run = await scenario.start('setInstancePower', REBOOT);

      expect(await run.result()).toMatchObject({ status: 'ACTIVE' });
      expect(actions(scenario)).toBe(1);
    }),
  );

  it('restarts again for another request, also when the first restart was a moment ago', () =>
    inScenario({ state: STATE }, async (scenario) => {
      const first = await scenario.start('setInstancePower', REBOOT);
      await first.result();
      onAction(scenario, { kind: 'drop-request' });
      const second = await scenario.start('setInstancePower', REBOOT);

      expect(await second.result()).toMatchObject({ status: 'ACTIVE' });
      expect(actions(scenario)).toBe(2);
    }));
});

describe('a change that only its task tells, where a task does not name its resource', () => {
  const settings = { state: STATE, namesInstance: false };

  /** The answer to the reboot is lost, and the look for it comes when the task has ended. */
  async function blockedReboot(scenario: Scenario) {
    const { simulator, start } = scenario;
    onAction(scenario, { kind: 'hang', afterProcessing: true });
    const run = await start('setInstancePower', REBOOT);
    await untilBlocked(run, 'OutcomeUnknown');
    expect(simulator.inventory().tasks).toHaveLength(1);
    return run;
  }

  it('blocks when it cannot know whether the instance has restarted', () =>
    inScenario(settings, async (scenario) => {
      const run = await blockedReboot(scenario);

      const { blocked } = await run.query(statusQuery);
      await run.executeUpdate(abortUpdate, { args: [{}] });

      expect(blocked?.message).toContain('It is not known whether these tasks are of the call');
      expect(blocked?.advice).toContain('`resume` sends the call again');
      expect(actions(scenario)).toBe(1);
    }));

  it('sends the call again when a person says so', () =>
    inScenario(settings, async (scenario) => {
      const run = await blockedReboot(scenario);

      await run.executeUpdate(resumeUpdate, { args: [{}] });

      expect(await run.result()).toMatchObject({ status: 'ACTIVE' });
      expect(actions(scenario)).toBe(2);
    }));

  it('needs nobody for a stop, whose status shows', () =>
    inScenario(settings, async (scenario) => {
      onAction(scenario, { kind: 'hang', afterProcessing: true });
      const run = await scenario.start('setInstancePower', { ...RUNNING, action: 'stop' });

      expect(await run.result()).toMatchObject({ status: 'SHUTOFF' });
      expect(actions(scenario)).toBe(1);
    }));
});

describe('a change that only its task tells, when the API has forgotten the task', () => {
  it('blocks: nothing else tells of it', () =>
    inScenario({ state: STATE }, async (scenario) => {
      scenario.simulator.faults.add({
        match: { method: 'GET', path: /^\/cloud\/v1\/tasks\/./, times: Infinity },
        action: { kind: 'status', status: 404, body: { exception_class: 'NotFoundError' } },
      });
      scenario.simulator.faults.add({
        match: { method: 'GET', path: '/cloud/v1/tasks', times: Infinity },
        action: { kind: 'status', status: 200, body: { count: 0, results: [] } },
      });
      const run = await scenario.start('setInstancePower', REBOOT);

      await untilBlocked(run, 'OutcomeUnknown');
      await run.executeUpdate(abortUpdate, { args: [{}] });

      expect(scenario.mutations()).toHaveLength(1);
    }));

  it.each([true, false])('believes no single 404, with a watcher: %s', (watcher) =>
    inScenario({ state: STATE, policy: { watcher } }, async (scenario) => {
      scenario.simulator.faults.add({
        match: { method: 'GET', path: /^\/cloud\/v1\/tasks\/./, times: 1 },
        action: { kind: 'status', status: 404, body: { exception_class: 'NotFoundError' } },
      });
      // The watcher asks for a task that its list does not show.
      scenario.simulator.faults.add({
        match: { method: 'GET', path: '/cloud/v1/tasks', times: Infinity },
        action: { kind: 'status', status: 200, body: { count: 0, results: [] } },
      });
      const run = await scenario.start('setInstancePower', { ...REBOOT, onBlocked: 'fail' });

      expect(await run.result()).toMatchObject({ status: 'ACTIVE' });

      expect(scenario.mutations()).toHaveLength(1);
    }),
  );
});
