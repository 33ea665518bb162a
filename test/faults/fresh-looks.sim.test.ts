import { describe, expect, it } from '@jest/globals';
import type { WorkflowHandle } from '@temporalio/client';

import type { FaultMatch } from '../../src/simulator/index.js';
import { callByHand } from '../support/http/call-by-hand.js';
import { ADDRESS, PROFILES_PATH, protectInput } from '../support/inputs/protect-input.js';
import { provisionInput } from '../support/inputs/provision-input.js';
import { until } from '../support/timing/until.js';
import { beginLook, leaveAfter } from './leave-after.js';
import {
  pendingCallsOf,
  untilQueued,
  withSplitWorkers,
  type SplitWorkers,
} from '../support/workers/split-workers.js';
import { holdTaskReads } from '../support/worlds/hold-task-reads.js';
import {
  keysOf,
  stateWithStorages,
  STORAGES_PATH,
  writeKeys,
} from '../support/worlds/sftp-storages.js';
/** Long enough for workers to stop meanwhile, on a busy machine too. */
const FRESH_MS = 4_000;
const TEST_MS = 120_000;

const READ_STORAGE: FaultMatch = { method: 'GET', path: `${STORAGES_PATH}/7` };
const LIST_PROFILES: FaultMatch = { method: 'GET', path: PROFILES_PATH };
const CREATE_PROFILE: FaultMatch = { method: 'POST', path: PROFILES_PATH };
const TURNED_AWAY = { kind: 'status', status: 429, retryAfter: '1' } as const;

/** The worker of the workflows goes during a look: the run hears of the answer when that worker is back. */
async function missAnswer<R extends WorkflowHandle>(
  split: SplitWorkers,
  match: FaultMatch,
  begin: () => Promise<R>,
) {
  const { run, gate } = await beginLook(split, match, begin);
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
  it(
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

  it(
    'makes no second profile beside one that was made by hand since',
    () =>
      withSplitWorkers({ policy: { freshMs: FRESH_MS } }, async (split) => {
        const run = await leaveAfter(split, { ...LIST_PROFILES, nth: 2 }, () =>
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
  it(
    'counts from when it was made: the run makes no second profile',
    () => {
      const freshMs = 500;
      return withSplitWorkers({ policy: { freshMs } }, async (split) => {
        const { simulator } = split;
        simulator.faults.add({ match: CREATE_PROFILE, action: TURNED_AWAY });
        const { run, seenAt } = await missAnswer(split, { ...LIST_PROFILES, nth: 3 }, async () => {
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
  it(
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
