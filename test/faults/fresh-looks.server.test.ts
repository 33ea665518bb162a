import { afterAll, describe, expect, it } from '@jest/globals';
import type { WorkflowHandle } from '@temporalio/client';

import { pauseUpdate, resumeUpdate, statusQuery } from '../../src/contract/messages.js';
import type { FaultMatch } from '../../src/simulator/index.js';
import { callByHand } from '../support/http/call-by-hand.js';
import { ADDRESS, PROFILES_PATH, protectInput } from '../support/inputs/protect-input.js';
import { CREATE_PATH, provisionInput } from '../support/inputs/provision-input.js';
import { resetRun } from '../support/runs/reset-run.js';
import { failureOfRun } from '../support/runs/run-failure.js';
import { closeScenarios } from '../support/runs/scenario.js';
import { createGate, type Gate } from '../support/timing/gate.js';
import { until } from '../support/timing/until.js';
import {
  pendingCallsOf,
  untilQueued,
  withSplitWorkers,
  type SplitWorkers,
} from '../support/workers/split-workers.js';
import { holdTaskReads } from '../support/worlds/hold-task-reads.js';
import {
  existingIdsOf,
  floatingIpOf,
  instanceIdOf,
  stateWithInstances,
} from '../support/worlds/instances.js';
import {
  keysOf,
  stateWithStorages,
  STORAGES_PATH,
  writeKeys,
} from '../support/worlds/sftp-storages.js';

afterAll(closeScenarios);

/** Long enough for workers to stop meanwhile, on a busy machine too. */
const FRESH_MS = 4_000;
const TEST_MS = 120_000;

const READ_STORAGE: FaultMatch = { method: 'GET', path: `${STORAGES_PATH}/7` };
const LIST_PROFILES: FaultMatch = { method: 'GET', path: PROFILES_PATH };
const CREATE_PROFILE: FaultMatch = { method: 'POST', path: PROFILES_PATH };
const TURNED_AWAY = { kind: 'status', status: 429, retryAfter: '1' } as const;
const READ_ADDRESS: FaultMatch = {
  method: 'GET',
  path: `/cloud/v1/floatingips/1/1/${floatingIpOf(1)}`,
};
const LIST_INSTANCES: FaultMatch = { method: 'GET', path: '/cloud/v1/instances/1/1' };

/** The next answer to this call shows what is so now, and comes when the gate opens. */
function holdAnswer({ simulator }: SplitWorkers, match: FaultMatch): Gate {
  const gate = createGate();
  const action = { kind: 'delay', afterProcessing: true, until: gate.opened } as const;
  simulator.faults.add({ match, action });
  return gate;
}

function untilAsked({ simulator }: SplitWorkers, { path }: FaultMatch): Promise<void> {
  return until('the run looks', () => simulator.inFlight().some((call) => call.path === path));
}

/** The workers of the account go while they answer a look: the change that rests on it finds none. */
async function leaveAfter<R extends WorkflowHandle>(
  split: SplitWorkers,
  match: FaultMatch,
  begin: () => Promise<R>,
) {
  const gate = holdAnswer(split, match);
  const run = await begin();
  await untilAsked(split, match);
  await split.calls.stop(gate.open);
  return run;
}

/** The worker of the workflows goes during a look: the run hears of the answer when that worker is back. */
async function missAnswer<R extends WorkflowHandle>(
  split: SplitWorkers,
  match: FaultMatch,
  begin: () => Promise<R>,
) {
  const gate = holdAnswer(split, match);
  const run = await begin();
  await untilAsked(split, match);
  const seenAt = Date.now();
  await split.workflows.stop();
  gate.open();
  await until('the look is answered', async () => (await pendingCallsOf(run)).length === 0);
  return { run, seenAt };
}

function protectByHand({ api }: SplitWorkers): Promise<unknown> {
  return callByHand(api, `POST ${PROFILES_PATH}`, protectInput().profile);
}

describe('a change that no worker takes while its look is fresh', () => {
  it.concurrent(
    'does not remove a key that an admin has added since',
    () => {
      const keys = ['backup', 'ingest', 'audit'].map((name) => ({ name }));
      const state = stateWithStorages(keys, [{ id: 7, sshKeyIds: [1] }]);
      return withSplitWorkers({ state, policy: { freshMs: FRESH_MS } }, async (split) => {
        const run = await leaveAfter(split, READ_STORAGE, () =>
          split.start('grantSftpAccess', { storageId: 7, keyNames: ['ingest'] }),
        );
        await untilQueued(run, 'setSftpStorageKeys');
        await writeKeys(split, 7, [1, 3]);

        await untilQueued(run, 'getSftpStorage');
        await split.calls.start();
        await run.result();

        expect(keysOf(split, 7)).toEqual([1, 3, 2]);
      });
    },
    TEST_MS,
  );

  it.concurrent(
    'makes no second profile beside one that was made by hand since',
    () =>
      withSplitWorkers({ policy: { freshMs: FRESH_MS } }, async (split) => {
        const run = await leaveAfter(split, LIST_PROFILES, () =>
          split.start('protectIp', protectInput()),
        );
        await untilQueued(run, 'createDdosProfile');
        await protectByHand(split);

        await untilQueued(run, 'listDdosProfiles');
        await split.calls.start();
        const result = await run.result();

        expect(result).toMatchObject({ created: false });
        expect(split.simulator.inventory().ddosProfiles).toMatchObject([{ ip_address: ADDRESS }]);
      }),
    TEST_MS,
  );
});

describe('a look whose answer the run hears only later', () => {
  it.concurrent(
    'counts from when it was made: the run makes no second profile',
    () => {
      const freshMs = 500;
      return withSplitWorkers({ policy: { freshMs } }, async (split) => {
        const { simulator } = split;
        simulator.faults.add({ match: CREATE_PROFILE, action: TURNED_AWAY });
        const { run, seenAt } = await missAnswer(split, { ...LIST_PROFILES, nth: 2 }, async () => {
          const started = await split.start('protectIp', protectInput());
          await until('its create is turned away, so that it looks again', () =>
            simulator.requests.some(({ status }) => status === 429),
          );
          return started;
        });
        await protectByHand(split);
        await until('the look is old', () => Date.now() > seenAt + freshMs);

        await split.workflows.start();
        const result = await run.result();

        expect(result).toMatchObject({ created: false });
        expect(split.simulator.inventory().ddosProfiles).toMatchObject([{ ip_address: ADDRESS }]);
      });
    },
    TEST_MS,
  );
});

/** Until then, what was read counts as made now. */
const OLD_MS = 5_500;

describe('what the watcher has read after a task', () => {
  it.concurrent(
    'counts from when it was read: the run reads the instance again before it reports success',
    () =>
      withSplitWorkers({ policy: { watcher: true } }, async (split) => {
        const { simulator } = split;
        const release = holdTaskReads(simulator);
        const run = await split.start('provisionInstance', provisionInput());
        await until('the watcher has the task', async () =>
          (await pendingCallsOf(run)).some(({ name, isTaken }) => name === 'watchTask' && isTaken),
        );
        await split.workflows.stop();
        release();
        await until(
          'the watcher has answered',
          async () => (await pendingCallsOf(run)).length === 0,
        );
        const readAt = Date.now();
        await until('what it has read is old', () => Date.now() > readAt + OLD_MS);
        const before = simulator.requests.length;

        await split.workflows.start();
        await run.result();

        const later = simulator.requests.slice(before).map(({ path }) => path);
        expect(later).toContainEqual(
          expect.stringMatching(/^\/cloud\/v1\/instances\/1\/1\/[^/]+$/),
        );
      }),
    TEST_MS,
  );
});

describe('a run that is paused while its create waits for a worker', () => {
  it.concurrent(
    'creates nothing when the workers are back, and one machine after resume',
    () =>
      withSplitWorkers({}, async (split) => {
        const run = await leaveAfter(split, LIST_INSTANCES, () =>
          split.start('provisionInstance', provisionInput()),
        );
        await untilQueued(run, 'createInstance');

        await run.executeUpdate(pauseUpdate);
        await split.calls.start();
        await until('no call waits', async () => (await pendingCallsOf(run)).length === 0);

        expect((await run.query(statusQuery)).phase).toBe('paused');
        expect(split.mutations()).toEqual([]);
        await run.executeUpdate(resumeUpdate, { args: [{}] });
        await run.result();
        expect(split.mutations()).toEqual([`POST ${CREATE_PATH}`]);
      }),
    TEST_MS,
  );
});

/** A workflow task more: the run does not know the signal. */
async function bringTask(run: WorkflowHandle): Promise<void> {
  const tasksOf = async () =>
    ((await run.fetchHistory()).events ?? []).filter(
      (event) => event.workflowTaskCompletedEventAttributes,
    ).length;
  const before = await tasksOf();
  await run.signal('nothingThatItKnows');
  await until('it has seen the signal', async () => (await tasksOf()) > before);
}

describe('a run that is reset while its delete waits for a worker', () => {
  it.concurrent(
    'deletes no floating IP that somebody has moved since',
    () =>
      withSplitWorkers({ state: stateWithInstances([{ of: 1 }, { of: 2 }]) }, async (split) => {
        const { client, simulator } = split;
        const first = await leaveAfter(split, READ_ADDRESS, () =>
          split.start('deleteInstance', {
            ...{ instanceId: instanceIdOf(1), volumes: 'delete', floatingIps: 'delete' },
          }),
        );
        await untilQueued(first, 'deleteFloatingIp');
        await bringTask(first);
        const again = await resetRun(client, first, 'the last workflow task');
        const moved = { port_id: 'port-2', instance: { id: instanceIdOf(2) } };
        simulator.faults.add({
          match: { ...READ_ADDRESS, times: Infinity },
          action: { kind: 'status', status: 200, body: { id: floatingIpOf(1), ...moved } },
        });

        await split.calls.start();
        const { type } = await failureOfRun(again);

        expect(type).toBe('InvalidRequest');
        expect(existingIdsOf(simulator, 1)).toContain(floatingIpOf(1));
      }),
    TEST_MS,
  );
});
