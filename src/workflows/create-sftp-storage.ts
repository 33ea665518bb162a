import type { NamedStorages, SftpStorageView } from '../activities/sftp-storages.js';
import type {
  CreateSftpStorageInput,
  CreateSftpStorageResult,
} from '../contract/operations/types.js';
import {
  Operation,
  ResourceKind,
  sftpStorageNameResource,
  sshKeyResource,
} from '../contract/wire/names.js';
import { paths } from '../contract/wire/paths.js';
import type { Changed } from '../engine/send/one-change.js';
import type { Planned } from '../engine/schema/documents.js';
import { changeOperation, type AccountChangeStep } from './gcore.js';
import { readTold, shown } from './shared/account-things.js';
import { prepareActivities } from './shared/prepare-activities.js';
import { checkPlannedSecrets } from './shared/plan/plan-parts.js';
import { isBeingDeleted, settlingOf } from './shared/sftp-storage.js';

const make: AccountChangeStep<CreateSftpStorageInput, NamedStorages> = {
  name: 'make SFTP storage',
  resources: ({ input: { name, sshKeyIds = [] } }) => [
    sftpStorageNameResource(name),
    ...sshKeyIds.map(sshKeyResource),
  ],
  makes: { kind: ResourceKind.sftpStorage, find: (seen, { input }) => wanted(seen, input) },
  read: ({ input: { name, location }, reads }) =>
    readTold(
      () => reads.findSftpStorages({ name, location }),
      ({ storages }) =>
        storages.every((one) => one.location !== undefined && one.hasPassword !== undefined),
    ),
  drift: (seen, { input }) =>
    wanted(seen, input) === undefined ? `there is no storage ${input.name} as asked` : undefined,
  faults: ({ storages, locationNames, locations }, { input }) => [
    ...storages.map((storage) => ({
      path: 'name',
      message: `The storage ${storage.id} has the name "${input.name}", and ${differenceOf(storage, input, locationNames) ?? 'is not alone'}`,
      advice: 'Choose another name, or ask for the storage as it is.',
    })),
    ...(storages.length > 0 || locationNames.length > 0
      ? []
      : [
          {
            path: 'location',
            message: `No storage can be made in "${input.location}"`,
            advice: `Name one of these locations: ${locations.join(', ')}.`,
          },
        ]),
  ],
  check: checkPlannedSecrets,
  send: ({ api, input: { name, location, password, sshKeyIds } }, within) =>
    api.mutations.createSftpStorage(
      { ...within, summary: `make SFTP storage ${name}` },
      { name, location, password, sshKeyIds },
    ),
  settling: settlingOf(({ storages: [storage] }) => storage),
  says,
  calls: () => ({
    read: { method: 'GET', path: paths.sftpStorages(), purpose: 'look for a storage of this name' },
    change: [
      { method: 'GET', path: paths.storageLocations(), purpose: 'the location takes storages' },
      { method: 'POST', path: paths.sftpStorages(), purpose: 'make the storage' },
      { method: 'GET', path: paths.sftpStorages(), purpose: 'look until it is active' },
    ],
  }),
};

/** Only the answer to its call proves a password, and whose storage it is. */
function says({ before, after: { storages }, sent }: Changed<NamedStorages>): string {
  const isAnswered = sent?.madeId !== undefined;
  const called = isAnswered ? 'made' : 'there after a call without an answer';
  const how = before.storages.length > 0 ? 'it was there' : called;
  const isUnproven = !isAnswered && storages.some(({ hasPassword }) => hasPassword === true);
  const password = isUnproven ? `; ${UNPROVEN_PASSWORD}` : '';
  return `${how}: storage ${storages.map(({ id }) => id).join(', ')}${password}`;
}

const UNPROVEN_PASSWORD = 'whether its password is the one that was asked for, no read shows';

/** The one storage of the name, if it is as asked. */
function wanted(
  { storages, locationNames }: NamedStorages,
  input: CreateSftpStorageInput,
): SftpStorageView | undefined {
  const [storage, ...others] = storages;
  if (storage === undefined || others.length > 0) return undefined;
  return differenceOf(storage, input, locationNames) === undefined ? storage : undefined;
}

/** How the storage differs from what was asked: `is in location …`. More keys than were asked for are a difference too. */
function differenceOf(
  { status, location, hasPassword = false, sshKeyIds }: SftpStorageView,
  input: CreateSftpStorageInput,
  locationNames: readonly string[],
): string | undefined {
  if (isBeingDeleted({ status })) return `is ${status}`;
  const isThere = [input.location, ...locationNames].includes(location ?? input.location);
  if (!isThere) return `is in location ${location ?? ''}`;
  if (hasPassword !== (input.password !== undefined)) {
    return hasPassword ? 'has a password' : 'has no password';
  }
  const asked = new Set(input.sshKeyIds);
  const isSame = sshKeyIds.length === asked.size && sshKeyIds.every((id) => asked.has(id));
  return isSame ? undefined : `has the keys ${sshKeyIds.join(', ') || 'none'}`;
}

/**
 * Makes an SFTP storage, and verifies that it is active as asked.
 *
 * Sends nothing when the storage of this name is as asked, and refuses a name whose storage differs. The password is a
 * secret of the worker: no history has it. After a lost answer it looks before it sends again. A failed or cancelled run
 * leaves the storage, if it was made.
 * Answers the query `status` and the updates `pause`, `resume` and `abort`. Blocks on problems that need a person
 * (`Unauthorized`, `SecretUnavailable`, `QuotaExceeded`, `OutcomeUnknown`, `ResourceBusy`); with `onBlocked: 'fail'` it
 * fails instead. With `planOnly` it sends nothing and returns a plan.
 * Fails as `InvalidInput`, `InvalidRequest`, `DeadlineExceeded` or `Aborted`.
 */
export async function createSftpStorage(
  input: CreateSftpStorageInput,
): Promise<CreateSftpStorageResult | Planned> {
  const { createSftpStorage: operation } = Operation;
  const { prepareCreateSftpStorage: prepare } = prepareActivities;
  return changeOperation(
    { operation, input, prepare },
    make,
    ({ before, after, taskIds }, run): CreateSftpStorageResult => {
      const { id, name, sshKeyIds, hasPassword = false } = shown(wanted(after, run.input));
      const created = wanted(before, run.input) === undefined;
      const { steps: ledger } = run.ledger.document();
      return { storageId: id, name, created, sshKeyIds, hasPassword, taskIds, ledger };
    },
  );
}
