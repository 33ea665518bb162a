import type { SshKeyView } from '../activities/ssh-keys.js';
import type { DeleteSshKeyInput, DeleteSshKeyResult } from '../contract/operations/types.js';
import { Operation, ResourceKind, sshKeyResource } from '../contract/wire/names.js';
import { paths } from '../contract/wire/paths.js';
import { plural } from '../engine/core/text.js';
import type { Planned } from '../engine/schema/documents.js';
import { removeOperation, type AccountRemoveStep, type AskedOfAccount } from './gcore.js';
import { foundById } from './shared/account-things.js';
import { prepareActivities } from './shared/prepare-activities.js';

interface UsedKey extends SshKeyView {
  /** The SFTP storages that have it. */
  storageIds: number[];
}

const remove: AccountRemoveStep<DeleteSshKeyInput, UsedKey> = {
  name: 'delete SSH key',
  resources: ({ input: { keyId } }) => [sshKeyResource(keyId)],
  ...foundById(readKey, ({ input: { keyId }, reads }) => reads.isSshKeyListed({ keyId })),
  faults: ({ id, storageIds }) =>
    storageIds.length === 0
      ? []
      : [
          {
            path: 'keyId',
            message: `Key ${id} is linked to ${plural(storageIds.length, 'SFTP storage')}: ${storageIds.slice(0, MAX_NAMED).join(', ')}`,
            advice: 'Unlink it there first. The API would do it without asking.',
          },
        ],
  resource: ({ id }) => ({ kind: ResourceKind.sshKey, id: String(id) }),
  send: ({ api }, within, { id: keyId, name }) =>
    api.deletes.deleteSshKey({ ...within, summary: `delete key ${name}` }, { keyId }),
  irreversible: () => 'The key is gone. The result has its public key as "before".',
  calls({ input: { keyId } }) {
    const path = paths.sshKey(keyId);
    return {
      read: { method: 'GET', path, purpose: 'read the key' },
      change: [
        { method: 'GET', path: paths.sftpStorages(), purpose: 'no storage has the key, twice' },
        { method: 'DELETE', path, purpose: 'delete the key' },
        { method: 'GET', path, purpose: 'look until it is gone' },
      ],
    };
  },
};

/** In one message. */
const MAX_NAMED = 20;

async function readKey({
  input: { keyId },
  reads,
}: AskedOfAccount<DeleteSshKeyInput>): Promise<UsedKey> {
  const key = await reads.getSshKey({ keyId });
  return { ...key, storageIds: await reads.listStoragesOfKey({ keyId }) };
}

/**
 * Deletes a key of those that SFTP storages accept. Reports success only when the API no longer has it.
 *
 * Sends nothing when there is none. Refuses a key that a storage has, judged by two lists, the second one right before each
 * call. A failed or cancelled run adds no key again.
 * Answers the query `status` and the updates `pause`, `resume` and `abort`. Blocks on problems that need a person
 * (`Unauthorized`, `RemovalBlocked`); with `onBlocked: 'fail'` it fails instead. With `planOnly` it sends nothing and
 * returns a plan.
 * Fails as `InvalidInput`, `InvalidRequest`, `DeadlineExceeded` or `Aborted`.
 */
export async function deleteSshKey(
  input: DeleteSshKeyInput,
): Promise<DeleteSshKeyResult | Planned> {
  const { deleteSshKey: operation } = Operation;
  const { prepareDeleteSshKey: prepare } = prepareActivities;
  return removeOperation(
    { operation, input, prepare },
    remove,
    ({ before, taskIds }, run): DeleteSshKeyResult => ({
      keyId: run.input.keyId,
      before: before === undefined ? null : { name: before.name, publicKey: before.publicKey },
      taskIds,
      ledger: run.ledger.document().steps,
    }),
  );
}
