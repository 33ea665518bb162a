import { proxyLocalActivities } from '@temporalio/workflow';

import type { createPrepareActivities } from '../../activities/prepare.js';
import { Operation } from '../../contract/names.js';
import type {
  ListSshKeysInput,
  ListSshKeysResult,
} from '../../contract/operations/list-ssh-keys.js';
import type { Planned } from '../../contract/plan.js';
import { planOrRun } from '../engine/plan/plan-or-run.js';
import { planListSshKeys } from './plan/plan-list-ssh-keys.js';
import { readSshKeys } from './steps/read-ssh-keys.js';

const { prepareListSshKeys } = proxyLocalActivities<ReturnType<typeof createPrepareActivities>>({
  startToCloseTimeout: '5 seconds',
});

const READ = 'read SSH keys';

/**
 * Lists the SSH keys of the account that SFTP storages accept: every page, each key once.
 *
 * Not the keys of `ssh_key_name` of an instance: those are another registry of the API. Every key
 * that was there while the list was read is in the result; one that was added or removed meanwhile
 * may be. Changes nothing at the API, so there is nothing to undo. Answers the query `status`. A
 * refused key (`Unauthorized`) blocks the run until it is mended, or fails it with
 * `onBlocked: 'fail'`; an outage only makes it wait.
 * With `planOnly` nothing is sent: the result is a plan.
 * Fails as `InvalidInput`, `InvalidRequest`, `NotFound`, `ResultTooLarge`, `UnexpectedResponse`,
 * `DeadlineExceeded` or `Aborted`.
 */
export async function listSshKeys(input: ListSshKeysInput): Promise<ListSshKeysResult | Planned> {
  return planOrRun(
    {
      operation: Operation.listSshKeys,
      steps: [READ],
      input,
      prepare: prepareListSshKeys,
      plan: planListSshKeys,
    },
    async (run) => {
      const keys = await readSshKeys(run, await run.begin(READ));
      return { keys, count: keys.length };
    },
  );
}
