import { Operation } from '../../contract/wire/names.js';
import type { ListSshKeysInput, ListSshKeysResult } from '../../contract/operations/types.js';
import type { Planned } from '../../engine/schema/documents.js';
import { planOrRun } from '../gcore.js';
import { prepareActivities } from '../shared/prepare-activities.js';
import { planListSshKeys } from './plan/plan-list-ssh-keys.js';
import { readSshKeys } from './steps/read-ssh-keys.js';

const READ = 'read SSH keys';

/**
 * Lists the SSH keys that SFTP storages of the account accept: every page, each key once.
 *
 * The keys for `ssh_key_name` of an instance are in another registry of the API. The result has every
 * key that existed during the whole read; keys that were added or removed meanwhile may be missing.
 * Changes nothing at the API, so there is nothing to undo.
 * Answers the query `status` and the updates `pause`, `resume` and `abort`. Blocks while the API refuses
 * the API key (`Unauthorized`); with `onBlocked: 'fail'` it fails instead. It waits for the end of an
 * outage.
 * With `planOnly` it returns a plan.
 * Fails as `InvalidInput`, `InvalidRequest`, `NotFound`, `ResultTooLarge`, `UnexpectedResponse`,
 * `DeadlineExceeded` or `Aborted`.
 */
export async function listSshKeys(input: ListSshKeysInput): Promise<ListSshKeysResult | Planned> {
  return planOrRun(
    {
      operation: Operation.listSshKeys,
      steps: [READ],
      input,
      prepare: prepareActivities.prepareListSshKeys,
      plan: planListSshKeys,
    },
    async (run) => {
      const { keys, total } = await readSshKeys(run, await run.begin(READ));
      return { keys, count: keys.length, total };
    },
  );
}
