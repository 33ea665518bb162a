import type { NamedKvStores } from '../activities/kv-store-changes.js';
import type { CreateKvStoreInput, CreateKvStoreResult } from '../contract/operations/types.js';
import { kvStoreNameResource, Operation } from '../contract/wire/names.js';
import { paths } from '../contract/wire/paths.js';
import type { PlanFault } from '../engine/plan/planning.js';
import type { Planned } from '../engine/schema/documents.js';
import { changeOperation, type AccountChangeStep } from './gcore.js';
import { shown } from './shared/account-things.js';
import { prepareActivities } from './shared/prepare-activities.js';

type NamedStore = NamedKvStores['stores'][number];

const make: AccountChangeStep<CreateKvStoreInput, NamedKvStores> = {
  name: 'make KV store',
  resources: ({ input: { name } }) => [kvStoreNameResource(name)],
  read: ({ input: { name }, reads }) => reads.findKvStores({ name }),
  drift: (seen, { input }) =>
    wanted(seen, input) === undefined
      ? `there is not exactly one store ${input.name} as asked`
      : undefined,
  faults: faultsOf,
  send: ({ api, input: { name, comment } }, within) =>
    api.mutations.createKvStore(
      { ...within, summary: `make KV store ${name}` },
      { name, ...(comment !== undefined && { comment }) },
    ),
  says: ({ before, after: { stores } }) =>
    `${before.count > 0 ? 'it was there' : 'made'}: store ${stores.map(({ id }) => id).join(', ')}`,
  calls: () => ({
    read: { method: 'GET', path: paths.kvStores(), purpose: 'look for a store of this name' },
    change: [
      { method: 'POST', path: paths.kvStores(), purpose: 'make the store' },
      { method: 'GET', path: paths.kvStores(), purpose: 'look until it shows' },
    ],
  }),
};

/** What has the name already is of somebody: a name is no identity. */
function faultsOf(
  { count, stores }: NamedKvStores,
  { input: { name } }: { input: CreateKvStoreInput },
): PlanFault[] {
  const ids = stores.map(({ id }) => id).join(', ');
  if (count === 0) return [];
  if (count === 1) {
    return [
      {
        path: 'comment',
        message: `Store ${ids} has the name "${name}", with another comment`,
        advice: 'Choose another name, leave the comment out, or set it by replaceKvStore.',
      },
    ];
  }
  return [
    {
      path: 'name',
      message: `${count} stores have the name "${name}": ${ids}${count > stores.length ? ', …' : ''}`,
      advice: 'Choose another name, or use the one that you mean by its id.',
    },
  ];
}

/** The one store of the name, if it is as asked. */
function wanted(
  { count, stores: [store] }: NamedKvStores,
  { comment }: CreateKvStoreInput,
): NamedStore | undefined {
  if (count !== 1 || store === undefined) return undefined;
  return comment === undefined || store.comment === comment ? store : undefined;
}

/**
 * Makes a KV store of the edge, and verifies it.
 *
 * Sends nothing when there is one store of this name as asked. Never changes one: a name that a store with another comment
 * has, or several stores have, is refused. After a lost answer it looks before it sends again. A failed or cancelled run
 * leaves the store, if it was made.
 * Answers the query `status` and the updates `pause`, `resume` and `abort`. Blocks on problems that need a person
 * (`Unauthorized`, `QuotaExceeded`, `OutcomeUnknown`, `ResourceBusy`); with `onBlocked: 'fail'` it fails instead. With
 * `planOnly` it sends nothing and returns a plan.
 * Fails as `InvalidInput`, `InvalidRequest`, `DeadlineExceeded` or `Aborted`.
 */
export async function createKvStore(
  input: CreateKvStoreInput,
): Promise<CreateKvStoreResult | Planned> {
  const { createKvStore: operation } = Operation;
  const { prepareCreateKvStore: prepare } = prepareActivities;
  return changeOperation(
    { operation, input, prepare },
    make,
    ({ before, after, taskIds }, run): CreateKvStoreResult => ({
      storeId: shown(wanted(after, run.input)).id,
      name: run.input.name,
      created: wanted(before, run.input) === undefined,
      taskIds,
      ledger: run.ledger.document().steps,
    }),
  );
}
