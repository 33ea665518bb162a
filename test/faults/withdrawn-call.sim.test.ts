import { randomUUID } from 'node:crypto';

import { describe, expect, it } from '@jest/globals';
import type { WorkflowHandle } from '@temporalio/client';

import { abortUpdate, statusQuery } from '../../src/engine/core/messages.js';
import { CREATE_PATH, provisionInput } from '../support/inputs/provision-input.js';
import { endOfRun } from '../support/runs/run-failure.js';
import { inScenario, type Scenario } from '../simulation/scenario.js';
import { createGate } from '../support/timing/gate.js';
import { until } from '../support/timing/until.js';
import { BATCH, manyVideos } from '../support/worlds/videos.js';
const CREATE = `POST ${CREATE_PATH}`;
const LIST = { method: 'GET', path: '/cloud/v1/instances/1/1' };
const KEYS = { method: 'GET', path: /sshkeys|ssh_keys/i };
const TEST_MS = 150_000;
/** Longer than the heartbeat timeout of a batch, and shorter than its exchange. */
const HEARD_MS = 13_000;
/** A rollback that has to look for the call would take longer than the test. */
const policy = { reconcileGraceMs: 600_000 };

const ENDINGS: [string, string, (run: WorkflowHandle) => Promise<unknown>][] = [
  ['cancelled', 'cancelled', (run) => run.cancel()],
  ['aborted', 'failed', (run) => run.executeUpdate(abortUpdate, { args: [{}] })],
];

/** Whether the create is with a worker, or in the queue before it. */
async function stateOfCreate(run: WorkflowHandle): Promise<'started' | 'queued' | undefined> {
  const { pendingActivities } = (await run.describe()).raw;
  const create = pendingActivities?.find(
    ({ activityType }) => activityType?.name === 'createInstance',
  );
  if (!create) return undefined;
  return create.lastStartedTime ? 'started' : 'queued';
}

/** A run whose look is answered only after `before`: its create comes after all of that. */
async function startBehind(scenario: Scenario, before: () => Promise<void>) {
  const { start, simulator } = scenario;
  const gate = createGate();
  simulator.faults.add({ match: LIST, action: { kind: 'delay', until: gate.opened } });
  const run = await start('provisionInstance', provisionInput());
  await until('it looks', () => simulator.inFlight().some(({ path }) => path === LIST.path));
  await before();
  gate.open();
  return run;
}

async function requestsOfEnd(run: WorkflowHandle): Promise<number> {
  const { events } = await run.fetchHistory();
  return (events ?? []).filter((event) => event.activityTaskCancelRequestedEventAttributes).length;
}

describe('a create that waits for its permit', () => {
  it.concurrent.each(ENDINGS)(
    'is never sent when its run is %s meanwhile',
    (_, phase, end) =>
      inScenario({ policy, timeoutMs: 15_000 }, async (scenario) => {
        const { start, simulator, mutations } = scenario;
        simulator.faults.add({
          match: KEYS,
          action: { kind: 'status', status: 429, retryAfter: '25' },
        });
        let keys: WorkflowHandle | undefined;
        const run = await startBehind(scenario, async () => {
          keys = await start('listSshKeys', {});
          await until('the API asks for a pause', () =>
            simulator.requests.some(({ path }) => KEYS.path.test(path)),
          );
        });
        await until('the create waits', async () => (await stateOfCreate(run)) === 'started');

        const endedAt = Date.now();
        await end(run);
        await endOfRun(run);
        const tookMs = Date.now() - endedAt;
        const status = await run.query(statusQuery);
        // Its permit would have come before that of this read.
        await keys?.result();

        expect(status.phase).toBe(phase);
        expect(mutations()).toEqual([]);
        expect(tookMs).toBeLessThan(20_000);
      }),
    TEST_MS,
  );
});

describe('a create that no worker has taken yet', () => {
  it.concurrent(
    'is never sent when its run is cancelled meanwhile',
    () =>
      inScenario({ policy }, async (scenario) => {
        const { client, taskQueue, mutations } = scenario;
        const account = `withdrawn-${randomUUID().slice(0, 8)}`;
        const run = await client.workflow.start('provisionInstance', {
          workflowId: `provisionInstance-${randomUUID()}`,
          taskQueue,
          args: [{ ...provisionInput(), account }],
        });
        // No worker makes the calls of this account.
        await until('the create is queued', async () => (await stateOfCreate(run)) === 'queued');

        await run.cancel();
        await endOfRun(run);

        expect((await run.query(statusQuery)).phase).toBe('cancelled');
        expect(mutations()).toEqual([]);
      }),
    TEST_MS,
  );
});

describe('a create that is on its way', () => {
  it.concurrent.each(ENDINGS)(
    'is sent once, answered and undone when its run is %s meanwhile',
    (_, phase, end) =>
      inScenario({ policy, timeoutMs: 15_000 }, async ({ start, simulator, mutations }) => {
        const gate = createGate();
        simulator.faults.add({
          match: { method: 'POST', path: CREATE_PATH },
          action: { kind: 'delay', until: gate.opened, afterProcessing: true },
        });
        const run = await start('provisionInstance', provisionInput());
        await until('the API has it', () =>
          simulator.inFlight().some(({ path }) => path === CREATE_PATH),
        );

        await end(run);
        await until('the run has asked for its end', async () => (await requestsOfEnd(run)) > 0);
        gate.open();
        await endOfRun(run);

        const { phase: ended, steps } = await run.query(statusQuery);
        expect([ended, steps[0]?.state]).toEqual([phase, 'undone']);
        expect(steps[0]?.taskIds).not.toEqual([]);
        expect(mutations().filter((call) => call === CREATE)).toHaveLength(1);
        expect(simulator.inventory()).toMatchObject({ instances: [], volumes: [] });
      }),
    TEST_MS,
  );
});

describe('a batch of videos that is on its way', () => {
  it.concurrent(
    'is answered although its activity hears that the run is to end, and its videos are known',
    () =>
      inScenario({ policy, timeoutMs: 15_000 }, async ({ start, simulator, mutations }) => {
        const gate = createGate();
        simulator.faults.add({
          match: BATCH,
          action: { kind: 'delay', until: gate.opened, afterProcessing: true },
        });
        const run = await start('importVideos', { videos: manyVideos(3) });
        await until('the API has it', () =>
          simulator.inFlight().some(({ path }) => path === BATCH.path),
        );

        await run.cancel();
        await until('the run has asked for its end', async () => (await requestsOfEnd(run)) > 0);
        const askedAt = Date.now();
        // It heartbeats every third of its heartbeat timeout.
        await until('its activity has heard of it', () => Date.now() - askedAt > HEARD_MS);
        gate.open();
        await endOfRun(run);

        const { phase, steps } = await run.query(statusQuery);
        expect(phase).toBe('cancelled');
        expect(steps.map(({ note }) => note).join()).toContain('3 of 3 videos');
        expect(mutations()).toEqual([`POST ${BATCH.path}`]);
      }),
    TEST_MS,
  );
});
