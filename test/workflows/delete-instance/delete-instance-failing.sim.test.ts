import { describe, expect, it } from '@jest/globals';
import type { WorkflowHandle } from '@temporalio/client';

import { abortUpdate, resumeUpdate, statusQuery } from '../../../src/engine/core/messages.js';
import type { DeleteInstanceInput } from '../../../src/contract/operations/types.js';
import type { FaultMatch } from '../../../src/simulator/index.js';
import { endOfRun, failureOfRun } from '../../support/runs/run-failure.js';
import { inScenario, type Scenario } from '../../simulation/scenario.js';
import { untilBlocked } from '../../support/runs/until-blocked.js';
import { createGate } from '../../support/timing/gate.js';
import { until } from '../../support/timing/until.js';
import {
  bootVolumeOf,
  dataVolumeOf,
  existingIdsOf,
  floatingIpOf,
  idsOf,
  instanceIdOf,
  stateWithInstances,
} from '../../support/worlds/instances.js';
const ONE = `/cloud/v1/instances/1/1/${instanceIdOf(1)}`;
const DELETE: FaultMatch = { method: 'DELETE', path: ONE };
const STATE = stateWithInstances([{ of: 1 }, { of: 2 }]);
const MAKER = 'provision-instance/default/order-4711';
const INTERNAL = { kind: 'task-error', error: 'internal error' } as const;

type Input = Omit<DeleteInstanceInput, 'account'>;
const ALL: Input = { instanceId: instanceIdOf(1), volumes: 'delete', floatingIps: 'delete' };

const sentDeletes = ({ mutations }: Scenario): number =>
  mutations().filter((call) => call === `DELETE ${ONE}`).length;

const left = async (run: WorkflowHandle): Promise<string[]> => {
  const { steps } = await run.query(statusQuery);
  return steps.flatMap(({ resources }) => resources.map(({ id }) => id)).sort();
};

describe('deleteInstance fails before it sends anything', () => {
  it.each<[string, Partial<Input>, RegExp]>([
    [
      'a volume of another instance is named',
      { volumes: [bootVolumeOf(2)] },
      /volume .* is not attached/,
    ],
    [
      'a floating IP of another instance is named',
      { floatingIps: [floatingIpOf(2)] },
      /floating IP .* is not attached/,
    ],
  ])('when %s', (_, choice, says) =>
    inScenario({ state: STATE }, async ({ start, simulator, mutations }) => {
      const run = await start('deleteInstance', { ...ALL, ...choice });

      const { type, message, details } = await failureOfRun(run);

      expect(type).toBe('InvalidRequest');
      expect(message).toMatch(says);
      expect(details).toMatchObject({ step: 'find instance', resources: [] });
      expect(mutations()).toEqual([]);
      expect(existingIdsOf(simulator, 1)).toEqual(idsOf(1));
    }),
  );

  it('when a kept volume would be deleted with its instance', () => {
    const state = stateWithInstances([{ of: 1, deleteOnTermination: true }]);
    const options = { state, record: 'deletion-refused' };
    return inScenario(options, async ({ start, mutations }) => {
      const run = await start('deleteInstance', { ...ALL, volumes: [dataVolumeOf(1)] });

      const { type, details } = await failureOfRun(run);

      expect(type).toBe('InvalidRequest');
      expect(details.faults).toEqual([
        {
          path: 'volumes',
          message: expect.stringContaining(`volume ${bootVolumeOf(1)} has delete_on_termination`),
        },
      ]);
      expect(mutations()).toEqual([]);
    });
  });

  it('when the project does not exist', () =>
    inScenario({ state: STATE }, async ({ start }) => {
      const run = await start('deleteInstance', { ...ALL, projectId: 99 });

      expect((await failureOfRun(run)).type).toBe('NotFound');
    }));

  it('when the input is invalid, and names the path of each fault', () =>
    inScenario({}, async ({ startRaw, simulator }) => {
      const run = await startRaw('deleteInstance', [{ volumes: 'all' }]);

      const { type, details } = await failureOfRun(run);

      expect(type).toBe('InvalidInput');
      const paths = details.faults?.map(({ path }) => path).sort();
      expect(paths).toEqual(['floatingIps', 'instanceId', 'volumes']);
      expect(simulator.requests).toEqual([]);
    }));
});

describe('a floating IP that moves to another instance during the run', () => {
  it('is not deleted', () =>
    inScenario({ state: STATE }, async (scenario) => {
      const { simulator } = scenario;
      const moved = { id: floatingIpOf(1), port_id: 'port-2', instance: { id: instanceIdOf(2) } };
      simulator.faults.add({
        match: { method: 'GET', path: `/cloud/v1/floatingips/1/1/${floatingIpOf(1)}` },
        action: { kind: 'status', status: 200, body: moved },
      });
      const run = await scenario.start('deleteInstance', ALL);

      const { type, message, details } = await failureOfRun(run);

      expect(type).toBe('InvalidRequest');
      expect(message).toContain(`belongs to instance ${instanceIdOf(2)}`);
      expect(details.resources).toEqual([{ kind: 'floating-ip', id: floatingIpOf(1) }]);
      expect(existingIdsOf(simulator, 1)).toEqual([floatingIpOf(1)]);
    }));

  it('is not deleted either because one answer lacks where it leads', () =>
    inScenario({ state: STATE }, async (scenario) => {
      const { simulator } = scenario;
      const match = { method: 'GET', path: `/cloud/v1/floatingips/1/1/${floatingIpOf(1)}` };
      const shown = (place: object) =>
        ({ kind: 'status', status: 200, body: { id: floatingIpOf(1), ...place } }) as const;
      simulator.faults.add({ match, action: shown({ port_id: null, instance: null }) });
      const moved = shown({ port_id: 'port-2', instance: { id: instanceIdOf(2) } });
      simulator.faults.add({ match: { ...match, nth: 2, times: Infinity }, action: moved });
      const run = await scenario.start('deleteInstance', ALL);

      expect(await failureOfRun(run)).toMatchObject({
        type: 'InvalidRequest',
        message: expect.stringContaining(`belongs to instance ${instanceIdOf(2)}`),
      });
      expect(existingIdsOf(simulator, 1)).toEqual([floatingIpOf(1)]);
    }));
});

describe('deleteInstance gives up', () => {
  it('when every deletion ends in ERROR, and names the resources that still exist', () =>
    inScenario({ state: STATE }, async (scenario) => {
      scenario.simulator.faults.add({ match: { ...DELETE, times: Infinity }, action: INTERNAL });
      const run = await scenario.start('deleteInstance', ALL);

      const { type, message, details } = await failureOfRun(run);

      expect(type).toBe('TaskFailed');
      expect(message).toContain('internal error');
      expect(details.taskId).toEqual(expect.any(String));
      expect(details.resources?.map(({ id }) => id).sort()).toEqual(idsOf(1));
      expect(sentDeletes(scenario)).toBe(4);
    }));

  it('at its deadline while the API answers busy', () =>
    inScenario({ state: STATE }, async ({ start, simulator }) => {
      const busy = { kind: 'status', status: 409 } as const;
      simulator.faults.add({ match: { ...DELETE, times: Infinity }, action: busy });

      const run = await start('deleteInstance', { ...ALL, deadline: '2 seconds' });

      expect(await failureOfRun(run)).toMatchObject({ type: 'DeadlineExceeded' });
      expect(await left(run)).toEqual(idsOf(1));
    }));
});

describe('a stopped run of deleteInstance', () => {
  const END = { cancel: { name: 'CancelledFailure' }, abort: { type: 'Aborted' } };

  const holdTheCall = ({ simulator }: Scenario) => {
    const gate = createGate();
    const action = { kind: 'delay', afterProcessing: true, until: gate.opened } as const;
    simulator.faults.add({ match: DELETE, action });
    return gate;
  };

  it.each(['cancel', 'abort'] as const)(
    'sends nothing after %s, and names the resources that may still exist',
    (how) =>
      inScenario({ state: STATE }, async (scenario) => {
        const gate = holdTheCall(scenario);
        const run = await scenario.start('deleteInstance', ALL);
        const { simulator } = scenario;
        await until('the call is on its way', () =>
          simulator.inFlight().some(({ method }) => method === 'DELETE'),
        );

        if (how === 'cancel') await run.cancel();
        else await run.executeUpdate(abortUpdate, { args: [{}] });
        gate.open();
        const end = await endOfRun(run);

        expect(end).toMatchObject(END[how]);
        expect(await left(run)).toEqual(idsOf(1));
        // The API finishes the accepted call, which does not include the floating IP.
        await until('the API is done', () => existingIdsOf(simulator, 1).length === 1);
        expect(existingIdsOf(simulator, 1)).toEqual([floatingIpOf(1)]);
      }),
  );
});

describe('two instances with the same marker', () => {
  const marker = `default/${MAKER}`;
  const state = stateWithInstances([
    { of: 1, marker },
    { of: 2, marker },
  ]);
  const BY_REQUEST: Input = { madeBy: MAKER, volumes: 'delete', floatingIps: 'delete' };

  it('block the run until a person names one of them', () =>
    inScenario({ state }, async ({ start, simulator, account }) => {
      const run = await start('deleteInstance', BY_REQUEST);
      await untilBlocked(run, 'OutcomeUnknown');
      const { blocked } = await run.query(statusQuery);

      const input = { ...ALL, account };
      await run.executeUpdate(resumeUpdate, { args: [{ input }] });
      const result = await run.result();

      expect(blocked?.message).toContain(instanceIdOf(1));
      expect(blocked?.message).toContain(instanceIdOf(2));
      expect(blocked?.advice).toContain('instanceId');
      expect(result.instanceId).toBe(instanceIdOf(1));
      expect(existingIdsOf(simulator, 2)).toEqual(idsOf(2));
    }));

  it('fail a run with onBlocked: fail', () =>
    inScenario({ state }, async ({ start, mutations }) => {
      const run = await start('deleteInstance', { ...BY_REQUEST, onBlocked: 'fail' });

      expect((await failureOfRun(run)).type).toBe('OutcomeUnknown');
      expect(mutations()).toEqual([]);
    }));
});
