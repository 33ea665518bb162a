import { describe, expect, it } from '@jest/globals';

import { resumeUpdate, statusQuery } from '../../src/engine/core/messages.js';
import type { FaultAction } from '../../src/simulator/index.js';
import { mostActions } from '../support/operations/instance-changes.js';
import { planOf } from '../support/runs/plan-of.js';
import { failureOfRun } from '../support/runs/run-failure.js';
import { inScenario, type Scenario } from '../support/runs/scenario.js';
import { untilBlocked } from '../support/runs/until-blocked.js';
import { until } from '../support/timing/until.js';
import { instanceIdOf, stateWithInstances } from '../support/worlds/instances.js';

const STATE = stateWithInstances([{ of: 1 }]);
const WANTED = { instanceId: instanceIdOf(1), flavor: 'g2-standard-4-8' };
const INSTANCE = `/cloud/v1/instances/1/1/${instanceIdOf(1)}`;
const RESIZE = { method: 'POST', path: `${INSTANCE}/changeflavor` };

const flavorOf = ({ simulator }: Scenario) =>
  simulator.inventory().instances.map(({ flavor }) => flavor.flavor_id);

function onResize({ simulator }: Scenario, action: FaultAction, times = 1): void {
  simulator.faults.add({ match: { ...RESIZE, times }, action });
}

describe('resizeInstance', () => {
  it('changes the flavor with one call, and verifies it', () =>
    inScenario({ state: STATE, record: 'instance-resized' }, async (scenario) => {
      const run = await scenario.start('resizeInstance', WANTED);

      const { ledger, taskIds, ...result } = await run.result();

      expect(result).toEqual({
        instanceId: instanceIdOf(1),
        before: 'g2-standard-2-4',
        flavor: 'g2-standard-4-8',
        status: 'ACTIVE',
      });
      expect(taskIds).toHaveLength(1);
      const note = 'g2-standard-2-4 → g2-standard-4-8';
      expect(ledger).toMatchObject([{ name: 'resize instance', state: 'verified', note }]);
      expect(scenario.mutations()).toEqual([`POST ${RESIZE.path}`]);
    }));

  it('sends nothing when the instance has the flavor', () =>
    inScenario({ state: STATE }, async (scenario) => {
      const run = await scenario.start('resizeInstance', { ...WANTED, flavor: 'g2-standard-2-4' });

      expect(await run.result()).toMatchObject({ before: 'g2-standard-2-4', taskIds: [] });
      expect(scenario.mutations()).toEqual([]);
    }));

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
      const first = await scenario.start('resizeInstance', WANTED);
      await until('it sends its call', () => scenario.mutations().length === 1);
      const second = await scenario.start('resizeInstance', {
        ...WANTED,
        flavor: 'g2-standard-8-16',
      });
      await until('the second waits', async () => {
        const { waiting } = await second.query(statusQuery);
        return waiting?.holder === first.workflowId;
      });

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

const PLANS = [
  ['a change', {}, { ready: true, irreversible: ['The instance restarts.'] }],
  ['nothing to do', { flavor: 'g2-standard-2-4' }, { findings: [{ severity: 'warning' }] }],
  ['an unknown flavor', { flavor: 'g2-standard-4-9' }, { findings: [{ path: 'flavor' }] }],
  ['no instance', { instanceId: instanceIdOf(9) }, { findings: [{ path: 'instanceId' }] }],
  ['no region', { regionId: 99 }, { findings: [{ path: 'regionId' }] }],
] as const;

describe('the plan of resizeInstance', () => {
  it('tells of a change, and of each reason against it', () =>
    inScenario({ state: STATE }, async (scenario) => {
      const plans = await Promise.all(
        PLANS.map(async ([name, change]) => {
          const input = { ...WANTED, ...change };
          return { name, plan: await planOf(scenario, 'resizeInstance', { input }) };
        }),
      );

      expect(plans).toMatchObject(PLANS.map(([name, , plan]) => ({ name, plan })));
      expect(scenario.mutations()).toEqual([]);
    }));
});
