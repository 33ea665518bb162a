import type { SftpStorageView } from '../activities/sftp-storages.js';
import type {
  RotateSftpPasswordInput,
  RotateSftpPasswordResult,
} from '../contract/operations/types.js';
import { Operation, sftpStorageResource } from '../contract/wire/names.js';
import { paths } from '../contract/wire/paths.js';
import type { Planned } from '../engine/schema/documents.js';
import { changeOperation, type AccountChangeStep } from './gcore.js';
import { prepareActivities } from './shared/prepare-activities.js';
import { checkPlannedSecrets } from './shared/plan/plan-parts.js';
import { isBeingDeleted, settlingOf } from './shared/sftp-storage.js';

const rotate: AccountChangeStep<RotateSftpPasswordInput, SftpStorageView> = {
  name: 'set password',
  resources: ({ input: { storageId } }) => [sftpStorageResource(storageId)],
  read: ({ input: { storageId }, reads }) => reads.getSftpStorage({ storageId }),
  isListed: ({ input: { storageId }, reads }) => reads.isSftpStorageListed({ storageId }),
  // No read shows a password: only the answer to the call proves that it was set.
  drift({ hasPassword }, _asked, isCarriedOut) {
    if (!isCarriedOut) return 'the password is not set yet';
    return hasPassword === false ? 'the storage shows no password' : undefined;
  },
  faults: (storage) =>
    isBeingDeleted(storage)
      ? [
          {
            path: 'storageId',
            message: `SFTP storage ${storage.id} is ${storage.status}`,
            advice: 'Name a storage that is not being deleted.',
          },
        ]
      : [],
  check: checkPlannedSecrets,
  send: ({ api, input: { storageId, password } }, within) =>
    api.mutations.setSftpPassword(
      { ...within, summary: `set the password of SFTP storage ${storageId}` },
      { storageId, password },
    ),
  settling: settlingOf((storage) => storage),
  says: ({ before: { hasPassword } }) =>
    hasPassword === true ? 'the new password is set' : 'a password is set: it had none',
  irreversible: () => 'Who has only the old password loses the access.',
  calls({ input: { storageId } }) {
    const path = paths.sftpStorage(storageId);
    return {
      read: { method: 'GET', path, purpose: 'read the storage' },
      change: [
        { method: 'PATCH', path, purpose: 'set the password' },
        { method: 'GET', path, purpose: 'look until it is active and has a password' },
      ],
    };
  },
};

/**
 * Sets the password of an SFTP storage to a secret of the worker.
 *
 * No input, history, log or failure has the password, and no read shows it. So each run sets it, and only the answer to its
 * call proves it: after a lost answer the run sends the same password again. A failed or cancelled run leaves the old
 * password or the new one.
 * Answers the query `status` and the updates `pause`, `resume` and `abort`. Blocks on problems that need a person
 * (`Unauthorized`, `SecretUnavailable`, `OutcomeUnknown`, `ResourceBusy`); with `onBlocked: 'fail'` it fails instead. With
 * `planOnly` it sends nothing and returns a plan.
 * Fails as `InvalidInput`, `InvalidRequest`, `NotFound`, `DeadlineExceeded` or `Aborted`.
 */
export async function rotateSftpPassword(
  input: RotateSftpPasswordInput,
): Promise<RotateSftpPasswordResult | Planned> {
  const { rotateSftpPassword: operation } = Operation;
  const { prepareRotateSftpPassword: prepare } = prepareActivities;
  return changeOperation(
    { operation, input, prepare },
    rotate,
    ({ before, after, taskIds }, run): RotateSftpPasswordResult => ({
      storageId: after.id,
      name: after.name,
      hadPassword: before.hasPassword === true,
      taskIds,
      ledger: run.ledger.document().steps,
    }),
  );
}
