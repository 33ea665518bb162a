import type { NamedSshKeys, SshKeyView } from '../activities/ssh-keys.js';
import type { CreateSshKeyInput, CreateSshKeyResult } from '../contract/operations/types.js';
import { Operation, sshKeyNameResource } from '../contract/wire/names.js';
import { paths } from '../contract/wire/paths.js';
import type { Planned } from '../engine/schema/documents.js';
import { changeOperation, type AccountChangeStep } from './gcore.js';
import { shown } from './shared/account-things.js';
import { prepareActivities } from './shared/prepare-activities.js';

const add: AccountChangeStep<CreateSshKeyInput, NamedSshKeys> = {
  name: 'add SSH key',
  resources: ({ input: { name } }) => [sshKeyNameResource(name)],
  read: ({ input: { name }, reads }) => reads.findSshKeys({ name }),
  drift: (seen, { input }) =>
    wanted(seen, input) === undefined ? `there is no key ${input.name} as asked` : undefined,
  faults: ({ keys }, { input: { name } }) =>
    keys.map(({ id }) => ({
      path: 'name',
      message: `The key ${id} has the name "${name}", with another public key`,
      advice: 'Choose another name, or delete that key first if nobody uses it.',
    })),
  send: ({ api, input: { name, publicKey } }, within) =>
    api.mutations.createSshKey({ ...within, summary: `add key ${name}` }, { name, publicKey }),
  says: ({ before, after: { keys } }) =>
    `${before.keys.length > 0 ? 'it was there' : 'added'}: key ${keys.map(({ id }) => id).join(', ')}`,
  calls: () => ({
    read: { method: 'GET', path: paths.sshKeys(), purpose: 'look for a key of this name' },
    change: [
      { method: 'POST', path: paths.sshKeys(), purpose: 'add the key' },
      { method: 'GET', path: paths.sshKeys(), purpose: 'look until it shows' },
    ],
  }),
};

function wanted({ keys }: NamedSshKeys, { publicKey }: CreateSshKeyInput): SshKeyView | undefined {
  return keys.find((key) => keyOf(key.publicKey) === keyOf(publicKey));
}

/** Without the comment behind it, which is no part of the key. */
function keyOf(publicKey: string): string {
  return publicKey.trim().split(/\s+/, 2).join(' ');
}

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
    ({ before, after, taskIds }, run): CreateSshKeyResult => ({
      keyId: shown(wanted(after, run.input)).id,
      name: run.input.name,
      created: wanted(before, run.input) === undefined,
      taskIds,
      ledger: run.ledger.document().steps,
    }),
  );
}
