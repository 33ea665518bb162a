import type { NamedKvStores } from '../activities/kv-store-changes.js';
import type { CreateKvStoreInput, CreateKvStoreResult } from '../contract/operations/types.js';
import { kvStoreNameResource, Operation, ResourceKind } from '../contract/wire/names.js';
import { paths } from '../contract/wire/paths.js';
import type { PlanFault } from '../engine/plan/planning.js';
import type { Planned } from '../engine/schema/documents.js';
import { changeOperation, type AccountChangeStep } from './gcore.js';
import { readTold, shown } from './shared/account-things.js';
import { createWanted, findMade, isOtherForm } from './shared/made-by-name.js';
import { prepareActivities } from './shared/prepare-activities.js';

const wanted = createWanted(
  ({ stores }: NamedKvStores) => stores,
  ({ count }) => count === 1,
);

const make: AccountChangeStep<CreateKvStoreInput, NamedKvStores> = {
  name: 'make KV store',
  resources: ({ input: { name } }) => [kvStoreNameResource(name)],
  makes: { kind: ResourceKind.kvStore, find: (seen, { sent }) => wanted(seen, sent) },
  read: ({ input: { name, comment }, reads, sent }) =>
    readTold(
      () =>
        findMade(
          (storeId) => reads.findKvStores({ name, comment, storeId }),
          ({ stores }) => stores,
          sent?.madeId,
        ),
      ({ stores }) => comment !== '' || stores.every(({ lacksComment }) => lacksComment !== true),
    ),
  drift: (seen, { input, sent }) =>
    wanted(seen, sent) === undefined
      ? `there is not exactly one store ${input.name} as asked`
      : undefined,
  faults: faultsOf,
  send: ({ api, input: { name, comment } }, within) =>
    api.mutations.createKvStore(
      { ...within, summary: `make KV store ${name}` },
      { name, ...(comment !== undefined && { comment }) },
    ),
  says: ({ isSent, after, sent }) =>
    `${isSent ? 'made' : 'it was there'}: store ${shown(wanted(after, sent)).id}`,
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
  const named = stores.filter((store) => store.name === name);
  const ids = named.map(({ id }) => id).join(', ');
  const inOtherForm = stores.find((store) => isOtherForm(name, store.name));
  if (count === 0 && inOtherForm !== undefined) {
    return [
      {
        path: 'name',
        message: `Store ${inOtherForm.id} has the name "${inOtherForm.name}", another form of "${name}"`,
        advice:
          'An earlier run may have made it: ask for that name if it is meant, or choose another one.',
      },
    ];
  }
  if (count === 0) return [];
  if (count === 1) {
    // The comment is there in another form, or the API does not show it.
    const perhaps = named.some(({ fit }) => fit === 'similar') ? 'perhaps ' : '';
    return [
      {
        path: 'comment',
        message: `Store ${ids} has the name "${name}", with ${perhaps}another comment`,
        advice: 'Choose another name, leave the comment out, or set it by replaceKvStore.',
      },
    ];
  }
  return [
    {
      path: 'name',
      message: `${count} stores have the name "${name}": ${ids}${count > named.length ? ', …' : ''}`,
      advice: 'Choose another name, or use the one that you mean by its id.',
    },
  ];
}

/**
 * Makes a KV store of the edge, and verifies it.
 *
 * Sends nothing when there is one store of this name as asked. Never changes one: a name that a store with another comment
 * has, or several stores have, or one in another form, is refused. After a lost answer it looks before it sends again. A failed or cancelled run
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
    ({ before, after, sent, taskIds }, run): CreateKvStoreResult => {
      const { id: storeId, name } = shown(wanted(after, sent));
      const created = wanted(before, undefined) === undefined;
      return { storeId, name, created, taskIds, ledger: run.ledger.document().steps };
    },
  );
}
