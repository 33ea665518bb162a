import { Phase } from '../../../src/engine/core/status.js';
import { BAD_GRANT_ACCESS_INPUTS } from '../inputs/bad-inputs.js';
import { STORAGES_PATH, stateWithStorages } from '../worlds/sftp-storages.js';
import { idsFrom } from '../worlds/ssh-keys.js';
import type { EndedRun, MatrixOperation } from './matrix-operation.js';
import type { OperationCase, TestedOperation } from './tested-operation.js';

/** Another user linked this key before the run. */
const OTHER_KEY = 1;
const OWN_KEYS = [7, 8];
const STORAGES = 500;

/** Each seed of a world has its own storage. */
const storageOf = (seed: number): number => (seed % STORAGES) + 1;
const ofStorages = new RegExp(`^${STORAGES_PATH}/\\d+$`);

const matrix: MatrixOperation = {
  operation: 'grantSftpAccess',
  calls: {
    create: { method: 'PATCH', path: ofStorages },
    wait: { method: 'GET', path: ofStorages },
    // The run reads the storage once before it sends anything.
    verify: { method: 'GET', path: ofStorages, nth: 2 },
    rollback: { method: 'PATCH', path: ofStorages, nth: 2 },
  },
  without: ['list lag', 'task ERROR', 'task 404'],
  input: ({ seed, onFailure }) => ({
    storageId: storageOf(seed),
    keyNames: OWN_KEYS.map((id) => `key-${id}`),
    onFailure,
  }),
  state: {
    sftpStorages: stateWithStorages(
      [],
      idsFrom(1, STORAGES).map((id) => ({ id, sshKeyIds: [OTHER_KEY] })),
    ).sftpStorages,
  },
  judge: (run) => {
    const { seed, status, simulator } = run;
    const keys =
      simulator.inventory().sftpStorages.find(({ id }) => id === storageOf(seed))?.ssh_key_ids ??
      [];
    const links = keys.filter((id) => id !== OTHER_KEY).map((id) => `${storageOf(seed)}/${id}`);
    const named = status.steps.flatMap(({ resources }) => resources.map(({ id }) => id));
    const differing = [
      ...links.filter((id) => !named.includes(id)),
      ...named.filter((id) => !links.includes(id)),
    ];
    return { differences: differing.length, isTrue: keys.includes(OTHER_KEY) && isTrue(run, keys) };
  },
};

function isTrue({ status, onFailure }: EndedRun, keys: readonly number[]): boolean {
  if (status.phase === Phase.succeeded) return OWN_KEYS.every((id) => keys.includes(id));
  return onFailure === 'keep' || !OWN_KEYS.some((id) => keys.includes(id));
}

/** The name of a request ends with its number, counted from 0. */
function storageOfRequest(name: string): number {
  return Number(name.split('-').at(-1)) + 1;
}

const plainCase: OperationCase<'grantSftpAccess'> = {
  operation: 'grantSftpAccess',
  makes: 0,
  changes: 'PATCH',
  // It compares the keys.
  readsInChange: 1,
  // Each request has its own storage with a key of another user.
  state: stateWithStorages(
    [{ name: 'other' }, { name: 'ingest' }, { name: 'audit' }],
    idsFrom(1, 100).map((id) => ({ id, sshKeyIds: [OTHER_KEY] })),
  ),
  input: (name) => ({ storageId: storageOfRequest(name), keyNames: ['ingest', 'audit'] }),
  existing: (name, { sftpStorages }) =>
    sftpStorages
      .filter(({ id }) => id === storageOfRequest(name))
      .flatMap(({ id, ssh_key_ids: keyIds }) => {
        // The key of the other user must stay. If it is lost, this text is no id of a ledger.
        const others = keyIds.includes(OTHER_KEY) ? [] : ['the key of another user is lost'];
        return [
          ...keyIds.filter((keyId) => keyId !== OTHER_KEY).map((keyId) => `${id}/${keyId}`),
          ...others,
        ];
      }),
};

export const grantSftpAccess: TestedOperation<'grantSftpAccess'> = {
  workflowId: 'grant-sftp-access/blue/audit-7',
  cases: [plainCase],
  matrix,
  histories: ['access-cancelled', 'access-granted'],
  badInputs: BAD_GRANT_ACCESS_INPUTS,
};
