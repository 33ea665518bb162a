import { Phase } from '../../../../src/contract/status.js';
import { STORAGES_PATH, stateWithStorages } from '../../../support/worlds/sftp-storages.js';
import { idsFrom } from '../../../support/worlds/ssh-keys.js';
import type { EndedRun, MatrixOperation } from './matrix-operation.js';

/** Linked by somebody else, from the start. */
const OTHER_KEY = 1;
const OWN_KEYS = [7, 8];
const STORAGES = 500;

/** Each seed of a world has a storage of its own. */
const storageOf = (seed: number): number => (seed % STORAGES) + 1;
const ofStorages = new RegExp(`^${STORAGES_PATH}/\\d+$`);

export const grantSftpAccess: MatrixOperation = {
  operation: 'grantSftpAccess',
  calls: {
    create: { method: 'PATCH', path: ofStorages },
    wait: { method: 'GET', path: ofStorages },
    // The first look comes before anything is sent.
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
