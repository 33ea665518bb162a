import { afterAll, describe, expect, it } from '@jest/globals';

import { WorkflowFailedError } from '@temporalio/client';

import { statusQuery } from '../../../src/contract/messages.js';
import type { FaultAction } from '../../../src/simulator/index.js';
import { CREATE_PATH, provisionInput } from '../../support/inputs/provision-input.js';
import { failureOfRun } from '../../support/runs/run-failure.js';
import { until } from '../../support/timing/until.js';
import { closeScenarios, inScenario } from '../../support/runs/scenario.js';

afterAll(closeScenarios);

const createCall = { method: 'POST', path: CREATE_PATH };

/** Faults after which the API has the instance, and the caller does not know. */
const LOST: [string, FaultAction][] = [
  ['the answer is lost', { kind: 'drop-response' }],
  [
    'a gateway answers 502 after the API accepted',
    { kind: 'status', status: 502, afterProcessing: true },
  ],
  ['the API answers 500 after it accepted', { kind: 'status', status: 500, afterProcessing: true }],
  ['the answer never comes', { kind: 'hang', afterProcessing: true }],
  [
    'the answer is cut off',
    {
      kind: 'status',
      status: 200,
      afterProcessing: true,
      body: '{"tasks": ["3b68',
      contentType: 'application/json',
    },
  ],
  [
    'the answer is an HTML page',
    {
      kind: 'status',
      status: 200,
      afterProcessing: true,
      body: '<html>',
      contentType: 'text/html',
    },
  ],
];

/** Faults after which the API has nothing. */
const NOT_THERE: [string, FaultAction][] = [
  ['the request is lost', { kind: 'drop-request' }],
  ['the API answers 503 before it did anything', { kind: 'status', status: 503 }],
  ['the API asks to come back later', { kind: 'status', status: 429, retryAfter: '1' }],
  ['the API asks to come back later without a time', { kind: 'status', status: 429 }],
];

describe('provisionInstance with a create call whose answer is lost', () => {
  it.each(LOST)('finds its instance again by the marker when %s', (_, action) =>
    inScenario({ timeoutMs: 500 }, async ({ start, simulator, mutations }) => {
      simulator.faults.add({ match: createCall, action });

      const run = await start('provisionInstance', provisionInput());
      const { instanceId } = await run.result();

      expect(simulator.inventory().instances.map(({ id }) => id)).toEqual([instanceId]);
      expect(mutations()).toEqual([`POST ${CREATE_PATH}`]);
    }),
  );

  it.each(NOT_THERE)('sends again, once, when %s', (_, action) =>
    inScenario({}, async ({ start, simulator, mutations }) => {
      simulator.faults.add({ match: createCall, action });

      const run = await start('provisionInstance', provisionInput());
      const { instanceId } = await run.result();

      expect(simulator.inventory().instances.map(({ id }) => id)).toEqual([instanceId]);
      expect(mutations()).toEqual([`POST ${CREATE_PATH}`, `POST ${CREATE_PATH}`]);
    }),
  );

  it('waits longer than the list lags before it believes that nothing was made', () =>
    inScenario({ policy: { reconcileGraceMs: 2_000 } }, async ({ start, simulator, mutations }) => {
      simulator.faults.add({ match: createCall, action: { kind: 'list-lag', ms: 1_000 } });
      simulator.faults.add({ match: createCall, action: { kind: 'drop-response' } });

      const run = await start('provisionInstance', provisionInput());
      await run.result();

      expect(simulator.inventory().instances).toHaveLength(1);
      expect(mutations()).toEqual([`POST ${CREATE_PATH}`]);
    }));

  it('removes nothing when two instances carry its marker: a person must look', () =>
    inScenario({}, async ({ start, simulator, api }) => {
      // Somebody repeats the call by hand, before the first look after the lost answer gets through.
      simulator.faults.add({
        match: { method: 'GET', path: '/cloud/v1/instances/1/1', nth: 2 },
        action: { kind: 'status', status: 503, retryAfter: '1' },
      });
      simulator.faults.add({ match: createCall, action: { kind: 'drop-response' } });
      const run = await start('provisionInstance', provisionInput({}, { onBlocked: 'fail' }));
      await until('the call has been made', () => simulator.inventory().instances.length === 1);
      const { instance } = provisionInput();
      const tags = { 'workflow-request': `default/${run.workflowId}` };
      await fetch(`${api.baseUrl}${CREATE_PATH}`, {
        method: 'POST',
        headers: { authorization: `apikey ${api.apiKey}`, 'content-type': 'application/json' },
        body: JSON.stringify({ ...instance, tags }),
      });

      const failed = await failureOfRun(run);

      const ids = simulator.inventory().instances.map(({ id }) => id);
      expect(failed.type).toBe('OutcomeUnknown');
      expect(ids).toHaveLength(2);
      for (const id of ids) {
        expect(failed.message).toContain(id);
        expect(failed.details.resources).toContainEqual({ kind: 'instance', id });
      }
    }));

  it('finds the call in the list of tasks when the list of instances lags beyond the grace', () =>
    inScenario({ record: 'traced', policy: { reconcileGraceMs: 50 } }, async (scenario) => {
      const { start, simulator, mutations } = scenario;
      const action = { kind: 'list-lag', ms: 60_000, tasksAtOnce: true } as const;
      simulator.faults.add({ match: createCall, action });
      simulator.faults.add({ match: createCall, action: { kind: 'drop-response' } });

      const run = await start('provisionInstance', provisionInput());
      const { instanceId } = await run.result();

      expect(simulator.inventory().instances.map(({ id }) => id)).toEqual([instanceId]);
      expect(mutations()).toEqual([`POST ${CREATE_PATH}`]);
    }));

  it.each([
    { onFailure: 'rollback', left: 0 },
    { onFailure: 'keep', left: 1 },
  ] as const)(
    'is cancelled while it looks for a call that lists do not show, with $onFailure',
    ({ onFailure, left }) =>
      inScenario({ record: `cancelled-in-doubt-${onFailure}` }, async ({ start, simulator }) => {
        const action = { kind: 'list-lag', ms: 60_000, tasksAtOnce: true } as const;
        simulator.faults.add({ match: createCall, action });
        simulator.faults.add({ match: createCall, action: { kind: 'drop-response' } });
        const run = await start('provisionInstance', provisionInput({}, { onFailure }));
        await until('the call has been made', () => simulator.inventory().instances.length === 1);

        await run.cancel();
        await expect(run.result()).rejects.toThrow(WorkflowFailedError);

        const { instances, volumes } = simulator.inventory();
        const existing = [...instances, ...volumes].map(({ id }) => id).sort();
        const { steps } = await run.query(statusQuery);
        const named = steps.flatMap(({ resources }) => resources.map(({ id }) => id)).sort();
        expect(instances).toHaveLength(left);
        expect(named).toEqual(existing);
      }),
  );

  it("is not misled by a task of the same name that is somebody else's", () =>
    inScenario({}, async ({ start, simulator, mutations }) => {
      const other = await start('provisionInstance', provisionInput());
      await other.result();
      simulator.faults.add({ match: { ...createCall, nth: 1 }, action: { kind: 'drop-request' } });

      const run = await start('provisionInstance', provisionInput());
      const { instanceId } = await run.result();

      expect(instanceId).not.toBe((await other.result()).instanceId);
      expect(simulator.inventory().instances).toHaveLength(2);
      expect(mutations()).toHaveLength(3);
    }));

  it('is not slowed down by many runs of one name whose answers were lost together', () =>
    inScenario({}, async ({ start, simulator }) => {
      const RUNS = 12;
      simulator.faults.add({
        match: { ...createCall, times: RUNS },
        action: { kind: 'drop-response' },
      });
      // Hidden from all first looks, so that every run goes through the list of tasks.
      const lag = { kind: 'list-lag', ms: 400, tasksAtOnce: true } as const;
      simulator.faults.add({ match: { ...createCall, times: RUNS }, action: lag });
      const runs = Array.from({ length: RUNS }, () => start('provisionInstance', provisionInput()));

      const results = await Promise.all(runs.map(async (run) => (await run).result()));

      expect(new Set(results.map(({ instanceId }) => instanceId)).size).toBe(RUNS);
      expect(simulator.inventory().instances).toHaveLength(RUNS);
    }));

  it('survives answers lost one after the other', () =>
    inScenario({ record: 'recovered' }, async ({ start, simulator }) => {
      simulator.faults.add({ match: createCall, action: { kind: 'drop-request' } });
      simulator.faults.add({ match: { ...createCall, nth: 2 }, action: { kind: 'drop-response' } });

      const run = await start('provisionInstance', provisionInput());
      await run.result();

      expect(simulator.inventory().instances).toHaveLength(1);
    }));
});
