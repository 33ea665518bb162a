import { describe, expect, it } from '@jest/globals';

import { resumeUpdate, statusQuery } from '../../../src/engine/core/messages.js';
import type { FaultAction } from '../../../src/simulator/index.js';
import { mostActions } from '../../support/worlds/marked.js';
import { failureOfRun } from '../../support/runs/run-failure.js';
import { inScenario, type Scenario } from '../../simulation/scenario.js';
import { untilBlocked } from '../../support/runs/until-blocked.js';
import { createGate } from '../../support/timing/gate.js';
import { until } from '../../support/timing/until.js';
import { instanceIdOf, stateWithInstances } from '../../support/worlds/instances.js';

/** A resize stands for every operation that is one step: the rules are those of the engine. */
const STATE = stateWithInstances([{ of: 1 }]);
const WANTED = { instanceId: instanceIdOf(1), flavor: 'g2-standard-4-8' };
const INSTANCE = `/cloud/v1/instances/1/1/${instanceIdOf(1)}`;
const RESIZE = { method: 'POST', path: `${INSTANCE}/changeflavor` };

const flavorOf = ({ simulator }: Scenario) =>
  simulator.inventory().instances.map(({ flavor }) => flavor.flavor_id);

function onResize({ simulator }: Scenario, action: FaultAction, times = 1): void {
  simulator.faults.add({ match: { ...RESIZE, times }, action });
}

describe('a change of one resource', () => {
  it('sends nothing when the instance is so already', () =>
    inScenario({ state: STATE }, async (scenario) => {
      const run = await scenario.start('resizeInstance', { ...WANTED, flavor: 'g2-standard-2-4' });

      expect(await run.result()).toMatchObject({ before: 'g2-standard-2-4', taskIds: [] });
      expect(scenario.mutations()).toEqual([]);
    }));

  it.each([2, 3])('goes on when the instance is not found once, at its read %i', (nth) =>
    inScenario({ state: STATE }, async (scenario) => {
      const match = { method: 'GET', path: INSTANCE, nth };
      scenario.simulator.faults.add({ match, action: { kind: 'status', status: 404 } });
      onResize(scenario, { kind: 'list-lag', ms: 500 });
      const run = await scenario.start('resizeInstance', WANTED);

      expect(await run.result()).toMatchObject({ flavor: 'g2-standard-4-8' });
      expect(scenario.mutations()).toHaveLength(1);
    }),
  );

  it('looks again while a read still shows the flavor of before', () =>
    inScenario({ state: STATE }, async (scenario) => {
      onResize(scenario, { kind: 'list-lag', ms: 500 });
      const run = await scenario.start('resizeInstance', WANTED);

      expect(await run.result()).toMatchObject({ flavor: 'g2-standard-4-8' });
      expect(scenario.mutations()).toHaveLength(1);
    }));

  it('blocks when the finished change never shows, and does not send it again', () =>
    inScenario({ state: STATE, policy: { probeMs: 200 } }, async (scenario) => {
      onResize(scenario, { kind: 'list-lag', ms: 6_000 });
      const run = await scenario.start('resizeInstance', WANTED);

      await untilBlocked(run, 'OutcomeUnknown');
      await run.executeUpdate(resumeUpdate, { args: [{}] });

      expect(await run.result()).toMatchObject({ flavor: 'g2-standard-4-8' });
      expect(scenario.mutations()).toHaveLength(1);
    }));

  it.each([
    ['the answer is lost', { kind: 'drop-response' }],
    ['the request is lost', { kind: 'drop-request' }],
    ['the call is carried out late', { kind: 'delay', ms: 2_300 }],
    ['the call is turned away', { kind: 'status', status: 503 }],
  ] satisfies [string, FaultAction][])('resizes once when %s', (_, action) =>
    inScenario({ state: STATE }, async (scenario) => {
      onResize(scenario, action);
      const run = await scenario.start('resizeInstance', WANTED);

      expect(await run.result()).toMatchObject({ flavor: 'g2-standard-4-8' });
      expect(mostActions(scenario.simulator.snapshot())).toBe(1);
    }),
  );

  it('finds a lost call by the lock of the instance where tasks name none', () =>
    inScenario({ state: STATE, namesInstance: false, speed: 8 }, async (scenario) => {
      onResize(scenario, { kind: 'drop-response' });
      const run = await scenario.start('resizeInstance', WANTED);

      const { taskIds } = await run.result();

      expect(taskIds).toHaveLength(1);
      expect(mostActions(scenario.simulator.snapshot())).toBe(1);
    }));

  it('takes turns with another run at the instance', () =>
    inScenario({ state: STATE }, async (scenario) => {
      // However long a busy machine takes: the first has its turn until the second waits.
      const gate = createGate();
      onResize(scenario, { kind: 'delay', until: gate.opened });
      const first = await scenario.start('resizeInstance', WANTED);
      const { simulator } = scenario;
      await until('its call is sent', () =>
        simulator.inFlight().some(({ path }) => path === RESIZE.path),
      );
      const second = await scenario.start('resizeInstance', {
        ...WANTED,
        flavor: 'g2-standard-8-16',
      });
      await until('the second waits', async () => {
        const { waiting } = await second.query(statusQuery);
        return waiting?.holder === first.workflowId;
      });
      gate.open();

      expect(await first.result()).toMatchObject({ flavor: 'g2-standard-4-8' });
      expect(await second.result()).toMatchObject({ before: 'g2-standard-4-8' });
      expect(flavorOf(scenario)).toEqual(['g2-standard-8-16']);
    }));

  it('blocks while a quota is exceeded, and then sends the call again', () =>
    inScenario({ state: STATE }, async (scenario) => {
      const error = 'Quota limit exceeded';
      onResize(scenario, { kind: 'task-error', error, leftovers: 'none' });
      const run = await scenario.start('resizeInstance', WANTED);

      await untilBlocked(run, 'QuotaExceeded');
      await run.executeUpdate(resumeUpdate, { args: [{}] });

      expect(await run.result()).toMatchObject({ flavor: 'g2-standard-4-8' });
      expect(scenario.mutations()).toHaveLength(2);
    }));

  it.each([
    ['another flavor', { flavor: 'g2-standard-8-16' }],
    ['another instance', { instanceId: instanceIdOf(2) }],
  ])('goes on with %s when a person corrects it while there is no room', (_, change) =>
    inScenario({ state: stateWithInstances([{ of: 1 }, { of: 2 }]) }, async (scenario) => {
      const error = 'No valid host was found';
      onResize(scenario, { kind: 'task-error', error, leftovers: 'none' });
      const run = await scenario.start('resizeInstance', WANTED);
      await untilBlocked(run, 'CapacityUnavailable');

      const input = { ...WANTED, ...change, account: scenario.account };
      await run.executeUpdate(resumeUpdate, { args: [{ input }] });

      expect(await run.result()).toMatchObject({ ...WANTED, ...change });
      expect(mostActions(scenario.simulator.snapshot())).toBe(1);
      // The turn of the first is free again, whatever the run has become.
      const next = await scenario.start('resizeInstance', { ...WANTED, flavor: 'g1-standard-1-2' });
      expect(await next.result()).toMatchObject({ flavor: 'g1-standard-1-2' });
    }),
  );

  it('does not take the failed task of an earlier try for that of a lost call', () =>
    inScenario({ state: STATE, policy: { probeMs: 50 } }, async (scenario) => {
      const error = 'Quota limit exceeded';
      onResize(scenario, { kind: 'task-error', error, leftovers: 'none' });
      onResize(scenario, { kind: 'drop-response' }, 2);
      const run = await scenario.start('resizeInstance', WANTED);

      expect(await run.result()).toMatchObject({ flavor: 'g2-standard-4-8' });
      expect(scenario.mutations()).toHaveLength(2);
      expect(mostActions(scenario.simulator.snapshot())).toBe(1);
    }));

  it.each([
    ['TaskFailed', {}, { kind: 'task-error', error: 'internal error', leftovers: 'none' }],
    ['InvalidRequest', {}, { kind: 'status', status: 400 }],
    ['NotFound', { instanceId: instanceIdOf(9) }, undefined],
    ['InvalidRequest', { flavor: 'g2-standard-4-9' }, undefined],
  ] satisfies [string, object, FaultAction | undefined][])(
    'fails as %s with %j, and leaves the instance as it was',
    (type, change, action) =>
      inScenario({ state: STATE }, async (scenario) => {
        if (action !== undefined) onResize(scenario, action, Infinity);
        const run = await scenario.start('resizeInstance', { ...WANTED, ...change });

        expect(await failureOfRun(run)).toMatchObject({ type });
        expect(flavorOf(scenario)).toEqual(['g2-standard-2-4']);
        expect(mostActions(scenario.simulator.snapshot())).toBe(0);
      }),
  );
});
