import type { KvStoreSettings, KvStoreTexts } from '../activities/kv-store-changes.js';
import type { ReplaceKvStoreInput, ReplaceKvStoreResult } from '../contract/operations/types.js';
import { kvStoreResource, Operation } from '../contract/wire/names.js';
import { paths } from '../contract/wire/paths.js';
import { squeezed } from '../contract/wire/stored-form.js';
import type { Planned } from '../engine/schema/documents.js';
import { changeOperation, type AccountChangeStep } from './gcore.js';
import { readTold } from './shared/account-things.js';
import { prepareActivities } from './shared/prepare-activities.js';

const replace: AccountChangeStep<ReplaceKvStoreInput, KvStoreSettings> = {
  name: 'replace KV store',
  resources: ({ input: { storeId } }) => [kvStoreResource(storeId)],
  read: ({ input: { storeId, comment }, reads }) =>
    readTold(
      () => reads.getKvStore({ storeId }),
      ({ lacksComment }) => comment !== '' || lacksComment !== true,
    ),
  isListed: ({ input: { storeId }, reads }) => reads.isKvStoreListed({ storeId }),
  isWhole: ({ isUnclear }) => isUnclear !== true,
  // The API may write a text in another form. Before a call nobody can say that it has.
  drift(seen, { input }, isCarriedOut) {
    const differing = differencesOf(seen, input).filter(
      (text) => !isCarriedOut || squeezed(seen[text]) !== squeezed(input[text] ?? ''),
    );
    return differing.length === 0 ? undefined : `it has another ${differing.join(' and another ')}`;
  },
  faults: ({ id, isByod, isUnclear }) =>
    isByod || isUnclear === true
      ? [
          {
            path: 'storeId',
            message: `KV store ${id} ${isByod ? 'has' : 'may have'} its data in a database of yours (BYOD)`,
            advice:
              'Change it in the portal: the API takes the whole store, and without the URL, which may have a password, it might lose its data.',
          },
        ]
      : [],
  send: ({ api, input: { storeId, name, comment } }, within, seen) =>
    api.mutations.replaceKvStore(
      { ...within, summary: `replace KV store ${storeId}` },
      {
        storeId,
        ...(name !== undefined && { name }),
        ...(comment !== undefined && { comment }),
        seen: textsOf(seen),
      },
    ),
  says: ({ before, after }) =>
    differencesOf(before, after).length === 0
      ? 'it was as asked'
      : `set: ${differencesOf(before, after).join(', ')}`,
  calls({ input: { storeId } }) {
    const path = paths.kvStore(storeId);
    return {
      read: { method: 'GET', path, purpose: 'read the store' },
      change: [
        { method: 'GET', path, purpose: 'read it again right before the call' },
        { method: 'PUT', path, purpose: 'set its name and its comment' },
        { method: 'GET', path, purpose: 'look until they show' },
      ],
    };
  },
};

/** Those of the asked texts that the store does not have. */
function differencesOf(
  seen: KvStoreTexts,
  { name = seen.name, comment = seen.comment }: Pick<ReplaceKvStoreInput, 'name' | 'comment'>,
): (keyof KvStoreTexts)[] {
  const differing: (keyof KvStoreTexts)[] = [];
  if (name !== seen.name) differing.push('name');
  if (comment !== seen.comment) differing.push('comment');
  return differing;
}

function textsOf({ name, comment }: KvStoreTexts): KvStoreTexts {
  return { name, comment };
}

/**
 * Sets the name or the comment of a KV store of the edge, and verifies it.
 *
 * Sends nothing when they are as asked. What is left out stays as it is: the store is read again right before the call,
 * which does not go out when somebody has changed it meanwhile. Refuses a BYOD store. Takes turns with the runs that write
 * into the store. A failed or cancelled run changes nothing back.
 * Answers the query `status` and the updates `pause`, `resume` and `abort`. Blocks on problems that need a person
 * (`Unauthorized`, `OutcomeUnknown`, `ResourceBusy`); with `onBlocked: 'fail'` it fails instead. With `planOnly` it
 * sends nothing and returns a plan.
 * Fails as `InvalidInput`, `InvalidRequest`, `NotFound`, `DeadlineExceeded` or `Aborted`.
 */
export async function replaceKvStore(
  input: ReplaceKvStoreInput,
): Promise<ReplaceKvStoreResult | Planned> {
  const { replaceKvStore: operation } = Operation;
  const { prepareReplaceKvStore: prepare } = prepareActivities;
  return changeOperation(
    { operation, input, prepare },
    replace,
    ({ before, after, taskIds }, run): ReplaceKvStoreResult => ({
      storeId: run.input.storeId,
      before: textsOf(before),
      after: textsOf(after),
      taskIds,
      ledger: run.ledger.document().steps,
    }),
  );
}
