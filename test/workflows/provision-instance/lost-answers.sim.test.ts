import { describe, expect, it } from '@jest/globals';

import { WorkflowFailedError } from '@temporalio/client';
import { z } from 'zod';

import { CLOCK_SKEW_MS, isoOf } from '../../../src/engine/core/times.js';
import { statusQuery } from '../../../src/engine/core/messages.js';
import { CREATE_INSTANCE_TASKS } from '../../../src/contract/wire/tasks.js';
import type { FaultAction } from '../../../src/simulator/index.js';
import type { Line } from '../../support/http/open-line.js';
import { CREATE_PATH, provisionInput } from '../../support/inputs/provision-input.js';
import { failureOfRun } from '../../support/runs/run-failure.js';
import { until } from '../../support/timing/until.js';
import { inScenario } from '../../simulation/scenario.js';
const createCall = { method: 'POST', path: CREATE_PATH };

/** The API makes the instance, but the caller does not know it. */
const MADE: [string, FaultAction][] = [
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

/** The API makes nothing. */
const NOT_MADE: [string, FaultAction][] = [
  ['the request is lost', { kind: 'drop-request' }],
  ['the API answers 503 without effect', { kind: 'status', status: 503 }],
  ['the API answers 429 with Retry-After', { kind: 'status', status: 429, retryAfter: '1' }],
  ['the API answers 429 without Retry-After', { kind: 'status', status: 429 }],
];

/** Tasks are listed as if they had been created later. */
function withTasksLaterBy(ms: number): Line {
  return (request) => {
    const url = new URL(request.url);
    for (const name of ['from_timestamp', 'to_timestamp']) {
      const time = url.searchParams.get(name);
      if (time !== null) url.searchParams.set(name, isoOf(Date.parse(time) - ms));
    }
    return fetch(new Request(url, request));
  };
}

const taskListSchema = z.object({ count: z.number(), results: z.array(z.looseObject({})) });

/** Tasks are listed without `data`, which the API need not send. */
async function withoutData(request: Request): Promise<Response> {
  const answer = await fetch(request);
  if (new URL(request.url).pathname !== '/cloud/v1/tasks') return answer;
  const { count, results } = taskListSchema.parse(await answer.json());
  return Response.json({ count, results: results.map((task) => ({ ...task, data: undefined })) });
}

describe('provisionInstance with a faulty create call', () => {
  it.each(MADE)('finds its instance by the marker when %s', (_, action) =>
    inScenario({ timeoutMs: 500 }, async ({ start, simulator, mutations }) => {
      simulator.faults.add({ match: createCall, action });

      const run = await start('provisionInstance', provisionInput());
      const { instanceId } = await run.result();

      expect(simulator.inventory().instances.map(({ id }) => id)).toEqual([instanceId]);
      expect(mutations()).toEqual([`POST ${CREATE_PATH}`]);
    }),
  );

  it.each(NOT_MADE)('sends the call exactly once more when %s', (_, action) =>
    inScenario({}, async ({ start, simulator, mutations }) => {
      simulator.faults.add({ match: createCall, action });

      const run = await start('provisionInstance', provisionInput());
      const { instanceId } = await run.result();

      expect(simulator.inventory().instances.map(({ id }) => id)).toEqual([instanceId]);
      expect(mutations()).toEqual([`POST ${CREATE_PATH}`, `POST ${CREATE_PATH}`]);
    }),
  );

  it('waits longer than the list lags before it concludes that the call had no effect', () =>
    inScenario({ policy: { reconcileGraceMs: 2_000 } }, async ({ start, simulator, mutations }) => {
      simulator.faults.add({ match: createCall, action: { kind: 'list-lag', ms: 1_000 } });
      simulator.faults.add({ match: createCall, action: { kind: 'drop-response' } });

      const run = await start('provisionInstance', provisionInput());
      await run.result();

      expect(simulator.inventory().instances).toHaveLength(1);
      expect(mutations()).toEqual([`POST ${CREATE_PATH}`]);
    }));

  it('removes nothing when two instances have its marker, and names both', () =>
    inScenario({}, async ({ start, simulator, api }) => {
      // Somebody repeats the call by hand before the first lookup after the lost answer succeeds.
      simulator.faults.add({
        match: { method: 'GET', path: '/cloud/v1/instances/1/1', nth: 3 },
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

  it.each(CREATE_INSTANCE_TASKS)(
    'finds its %s call in the list of tasks when instances are listed after the grace time',
    (createTask) => {
      const record = createTask === 'create_vm' && { record: 'traced' };
      const options = { ...record, createTask, policy: { reconcileGraceMs: 50 } };
      return inScenario(options, async ({ start, simulator, mutations }) => {
        const action = { kind: 'list-lag', ms: 60_000, tasksAtOnce: true } as const;
        simulator.faults.add({ match: createCall, action });
        simulator.faults.add({ match: createCall, action: { kind: 'drop-response' } });

        const run = await start('provisionInstance', provisionInput());
        const { instanceId } = await run.result();

        expect(simulator.inventory().instances.map(({ id }) => id)).toEqual([instanceId]);
        expect(mutations()).toEqual([`POST ${CREATE_PATH}`]);
      });
    },
  );

  it('finds its call in the list of tasks where a task repeats nothing of its request', () =>
    inScenario(
      { policy: { reconcileGraceMs: 50 }, line: withoutData },
      async ({ start, simulator, mutations }) => {
        const action = { kind: 'list-lag', ms: 60_000, tasksAtOnce: true } as const;
        simulator.faults.add({ match: createCall, action });
        simulator.faults.add({ match: createCall, action: { kind: 'drop-response' } });

        const run = await start('provisionInstance', provisionInput());
        await run.result();

        expect(simulator.inventory().instances).toHaveLength(1);
        expect(mutations()).toEqual([`POST ${CREATE_PATH}`]);
      },
    ));

  it('finds its call in the list of tasks when it arrives late in the grace time', () =>
    inScenario(
      // Later than the clocks may differ, yet within the grace time.
      { policy: { reconcileGraceMs: 10_000 }, line: withTasksLaterBy(CLOCK_SKEW_MS + 4_000) },
      async ({ start, simulator, mutations }) => {
        const action = { kind: 'list-lag', ms: 60_000, tasksAtOnce: true } as const;
        simulator.faults.add({ match: createCall, action });
        simulator.faults.add({ match: createCall, action: { kind: 'drop-response' } });

        const run = await start('provisionInstance', provisionInput());
        await run.result();

        expect(simulator.inventory().instances).toHaveLength(1);
        expect(mutations()).toEqual([`POST ${CREATE_PATH}`]);
      },
    ));

  it.each([
    { onFailure: 'rollback', left: 0 },
    { onFailure: 'keep', left: 1 },
  ] as const)(
    'names exactly the existing resources when it is cancelled during its lookup ($onFailure)',
    ({ onFailure, left }) =>
      inScenario({}, async ({ start, simulator }) => {
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

  it('does not adopt an instance of the same name from another run', () =>
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

  it('finds the right instance among many runs of one name that lost their answers together', () =>
    inScenario({}, async ({ start, simulator }) => {
      const RUNS = 12;
      simulator.faults.add({
        match: { ...createCall, times: RUNS },
        action: { kind: 'drop-response' },
      });
      // The first lookups find no instance, so every run searches the list of tasks.
      const lag = { kind: 'list-lag', ms: 400, tasksAtOnce: true } as const;
      simulator.faults.add({ match: { ...createCall, times: RUNS }, action: lag });
      const runs = Array.from({ length: RUNS }, () => start('provisionInstance', provisionInput()));

      const results = await Promise.all(runs.map(async (run) => (await run).result()));

      expect(new Set(results.map(({ instanceId }) => instanceId)).size).toBe(RUNS);
      expect(simulator.inventory().instances).toHaveLength(RUNS);
    }));

  it('creates one instance when a request and then an answer are lost', () =>
    inScenario({ record: 'recovered' }, async ({ start, simulator }) => {
      simulator.faults.add({ match: createCall, action: { kind: 'drop-request' } });
      simulator.faults.add({ match: { ...createCall, nth: 2 }, action: { kind: 'drop-response' } });

      const run = await start('provisionInstance', provisionInput());
      await run.result();

      expect(simulator.inventory().instances).toHaveLength(1);
    }));
});
