import type { NamedSshKeys } from '../activities/ssh-keys.js';
import type { CreateSshKeyInput, CreateSshKeyResult } from '../contract/operations/types.js';
import { Operation, ResourceKind, sshKeyNameResource } from '../contract/wire/names.js';
import { paths } from '../contract/wire/paths.js';
import type { Planned } from '../engine/schema/documents.js';
import { changeOperation, type AccountChangeStep } from './gcore.js';
import { shown } from './shared/account-things.js';
import { createWanted, findMade } from './shared/made-by-name.js';
import { prepareActivities } from './shared/prepare-activities.js';

const wanted = createWanted(({ keys }: NamedSshKeys) => keys);

const add: AccountChangeStep<CreateSshKeyInput, NamedSshKeys> = {
  name: 'add SSH key',
  resources: ({ input: { name } }) => [sshKeyNameResource(name)],
  makes: { kind: ResourceKind.sshKey, find: (seen, { sent }) => wanted(seen, sent) },
  read: ({ input: { name, publicKey }, reads, sent }) =>
    findMade(
      (keyId) => reads.findSshKeys({ name, publicKey, keyId }),
      ({ keys }) => keys,
      sent?.madeId,
    ),
  drift: (seen, { input, sent }) =>
    wanted(seen, sent) === undefined ? `there is no key ${input.name} as asked` : undefined,
  faults: ({ keys }, { input: { name } }) =>
    keys.map((key) => ({
      path: 'name',
      message:
        key.fit === 'similar'
          ? `The key ${key.id} has this public key, under the name "${key.name}"`
          : `The key ${key.id} has the name "${name}", with another public key`,
      advice:
        key.fit === 'similar'
          ? 'Ask for that name if it is meant, or delete that key first if nobody uses it.'
          : 'Choose another name, or delete that key first if nobody uses it.',
    })),
  send: ({ api, input: { name, publicKey } }, within) =>
    api.mutations.createSshKey({ ...within, summary: `add key ${name}` }, { name, publicKey }),
  says: ({ isSent, after, sent }) =>
    `${isSent ? 'added' : 'it was there'}: key ${shown(wanted(after, sent)).id}`,
  calls: () => ({
    read: { method: 'GET', path: paths.sshKeys(), purpose: 'look for a key of this name' },
    change: [
      { method: 'POST', path: paths.sshKeys(), purpose: 'add the key' },
      { method: 'GET', path: paths.sshKeys(), purpose: 'look until it shows' },
    ],
  }),
};

/**
 * Adds a public key to those that SFTP storages accept, and verifies it.
 *
 * Sends nothing when a key of this name has this public key. Never changes or replaces one: a key of this name with another
 * public key is refused. After a lost answer it looks before it sends again.
 * Answers the query `status` and the updates `pause`, `resume` and `abort`. Blocks on problems that need a person
 * (`Unauthorized`, `OutcomeUnknown`, `ResourceBusy`); with `onBlocked: 'fail'` it fails instead. With `planOnly` it
 * sends nothing and returns a plan.
 * Fails as `InvalidInput`, `InvalidRequest`, `DeadlineExceeded` or `Aborted`.
 */
export async function createSshKey(
  input: CreateSshKeyInput,
): Promise<CreateSshKeyResult | Planned> {
  const { createSshKey: operation } = Operation;
  const { prepareCreateSshKey: prepare } = prepareActivities;
  return changeOperation(
    { operation, input, prepare },
    add,
    ({ before, after, sent, taskIds }, run): CreateSshKeyResult => {
      const { id: keyId, name } = shown(wanted(after, sent));
      const created = wanted(before, undefined) === undefined;
      return { keyId, name, created, taskIds, ledger: run.ledger.document().steps };
    },
  );
}
