import type { KvStoreSettings } from '../activities/kv-store-changes.js';
import type { DeleteKvStoreInput, DeleteKvStoreResult } from '../contract/operations/types.js';
import { kvStoreResource, Operation, ResourceKind } from '../contract/wire/names.js';
import { paths } from '../contract/wire/paths.js';
import { plural } from '../engine/core/text.js';
import type { Planned } from '../engine/schema/documents.js';
import { removeOperation, type AccountRemoveStep } from './gcore.js';
import { foundById } from './shared/account-things.js';
import { prepareActivities } from './shared/prepare-activities.js';

const remove: AccountRemoveStep<DeleteKvStoreInput, KvStoreSettings> = {
  name: 'delete KV store',
  resources: ({ input: { storeId } }) => [kvStoreResource(storeId)],
  ...foundById(
    ({ input: { storeId }, reads }) => reads.getKvStore({ storeId }),
    ({ input: { storeId }, reads }) => reads.isKvStoreListed({ storeId }),
  ),
  faults: ({ id, appCount }) =>
    appCount === 0
      ? []
      : [
          {
            path: 'storeId',
            message: `KV store ${id} is used by ${plural(appCount, 'app')}`,
            advice: 'Take it out of them first: the API deletes no store that an app uses.',
          },
        ],
  resource: ({ id }) => ({ kind: ResourceKind.kvStore, id: String(id) }),
  send: ({ api }, within, { id: storeId, name }) =>
    api.deletes.deleteKvStore({ ...within, summary: `delete KV store ${name}` }, { storeId }),
  irreversible: (_asked, { name, size, isByod }) =>
    isByod
      ? `The KV store "${name}" is lost, and maybe its data in your database (BYOD).`
      : `The KV store "${name}" and its data are lost: ${plural(size, 'byte')}.`,
  calls({ input: { storeId } }) {
    const path = paths.kvStore(storeId);
    return {
      read: { method: 'GET', path, purpose: 'read the store; no app uses it' },
      change: [
        { method: 'DELETE', path, purpose: 'delete the store with its data' },
        { method: 'GET', path, purpose: 'look until it is gone' },
      ],
    };
  },
};

/**
 * Deletes a KV store of the edge, with its data. Reports success only when the API no longer has it.
 *
 * Sends nothing when there is none. Refuses a store that apps use, judged by what was read before each call. Takes turns
 * with the runs that write into the store. Nothing brings the data back.
 * Answers the query `status` and the updates `pause`, `resume` and `abort`. Blocks on problems that need a person
 * (`Unauthorized`, `RemovalBlocked`); with `onBlocked: 'fail'` it fails instead. With `planOnly` it sends nothing and
 * returns a plan.
 * Fails as `InvalidInput`, `InvalidRequest`, `DeadlineExceeded` or `Aborted`.
 */
export async function deleteKvStore(
  input: DeleteKvStoreInput,
): Promise<DeleteKvStoreResult | Planned> {
  const { deleteKvStore: operation } = Operation;
  const { prepareDeleteKvStore: prepare } = prepareActivities;
  return removeOperation(
    { operation, input, prepare },
    remove,
    ({ before, taskIds }, run): DeleteKvStoreResult => ({
      storeId: run.input.storeId,
      before:
        before === undefined
          ? null
          : { name: before.name, comment: before.comment, size: before.size },
      taskIds,
      ledger: run.ledger.document().steps,
    }),
  );
}
