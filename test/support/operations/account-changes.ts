import type {
  ChangeOperation,
  Operations,
  PlacedOperation,
} from '../../../src/contract/operations/index.js';
import { toKebab } from '../../../src/contract/wire/names.js';
import { Phase } from '../../../src/engine/core/status.js';
import {
  createSimulator,
  type FaultMatch,
  type Inventory,
  type SimulatorState,
} from '../../../src/simulator/index.js';
import { stateWithStorages, STORAGES_PATH } from '../worlds/sftp-storages.js';
import { idsFrom, KEYS_PATH, PUBLIC_KEY } from '../worlds/ssh-keys.js';
import type { MatrixOperation } from './matrix-operation.js';
import type { OperationCase, TestedOperation } from './tested-operation.js';

/** Those that change what belongs to an account. Nothing about it has tasks. */
type TestedChange = Exclude<ChangeOperation, PlacedOperation>;

/** A call of the run, and the reads before and after it. */
interface Calls {
  change: Pick<FaultMatch, 'path'> & { method: 'POST' | 'PATCH' | 'PUT' | 'DELETE' };
  read: RegExp;
}

interface StatedChange<O extends TestedChange> extends Calls {
  operation: O;
  histories: TestedOperation<O>['histories'];
  /** @param of the number of the seed or of the request; each has its own thing */
  input: (of: number) => Omit<Operations[O]['input'], 'account'>;
  state?: (of: readonly number[]) => Partial<SimulatorState>;
  isDone: (now: Inventory, of: number) => boolean;
  /** The most things of one name, where a second one is a fault. */
  most?: (state: SimulatorState) => number;
}

/** The name of a request ends with its number, counted from 0. */
const numberOf = (name: string): number => Number(/\d+$/.exec(name)?.[0] ?? 0);

function testedChange<O extends TestedChange>({
  operation,
  histories,
  change,
  read,
  input,
  state = () => ({}),
  isDone,
  most,
}: StatedChange<O>): TestedOperation<O> {
  const matrix: MatrixOperation = {
    operation,
    calls: { create: change, verify: { method: 'GET', path: read, nth: 2 } },
    without: ['list lag', 'task ERROR', 'task 404'],
    leftovers: ['none'],
    input: ({ seed }) => input(FIRST + seed),
    stateFor: (seeds) => state(seeds.map((seed) => FIRST + seed)),
    judge: ({ seed, status: { phase }, simulator }) => ({
      differences: 0,
      isTrue: phase !== Phase.succeeded || isDone(simulator.inventory(), FIRST + seed),
    }),
    ...(most && { most }),
  };
  const plainCase: OperationCase<O> = {
    operation,
    makes: 1,
    changes: change.method,
    state: { ...createSimulator().snapshot(), ...state([0, ...idsFrom(1, 100)]) },
    input: (name) => input(numberOf(name)),
  };
  return {
    workflowId: `${toKebab(operation)}/blue/audit-7`,
    cases: [plainCase],
    matrix,
    histories,
  };
}

/** A file of `test/support/secrets/named`. */
const SFTP_SECRET = 'ingest-sftp';
/** Ids of seeds: new rows have smaller ones. */
const FIRST = 8_000_000;
const START = Date.parse('2026-01-01T00:00:00Z');

function keyOf(of: number): SimulatorState['sshKeys'][number] {
  return { id: String(FIRST + of), name: `seed-${of}`, publicKey: PUBLIC_KEY, createdAt: START };
}

export const TESTED_ACCOUNT_CHANGES: { readonly [O in TestedChange]: TestedOperation<O> } = {
  createSshKey: testedChange({
    operation: 'createSshKey',
    histories: ['ssh-key-created'],
    change: { method: 'POST', path: KEYS_PATH },
    read: new RegExp(`^${KEYS_PATH}$`),
    input: (of) => ({ name: `made-${of}`, publicKey: PUBLIC_KEY }),
    isDone: ({ sshKeys }, of) => sshKeys.filter(({ name }) => name === `made-${of}`).length === 1,
  }),
  createSftpStorage: testedChange({
    operation: 'createSftpStorage',
    histories: ['sftp-storage-created'],
    change: { method: 'POST', path: STORAGES_PATH },
    read: new RegExp(`^${STORAGES_PATH}$`),
    input: (of) => ({ name: `made-${of}`, location: 's-region-1' }),
    isDone: ({ sftpStorages }, of) =>
      sftpStorages.filter(
        ({ name, provisioning_status: status }) => name === `made-${of}` && status === 'active',
      ).length === 1,
  }),
  rotateSftpPassword: testedChange({
    operation: 'rotateSftpPassword',
    histories: ['sftp-password-rotated'],
    change: { method: 'PATCH', path: new RegExp(`^${STORAGES_PATH}/`) },
    read: new RegExp(`^${STORAGES_PATH}/`),
    input: (of) => ({ storageId: FIRST + of, password: { $secret: SFTP_SECRET } }),
    state: (of) => ({
      sftpStorages: stateWithStorages(
        [],
        of.map((id) => ({ id: FIRST + id })),
      ).sftpStorages,
    }),
    isDone: ({ sftpStorages }, of) =>
      sftpStorages.some(({ id, has_password: has }) => id === FIRST + of && has),
  }),
  deleteSshKey: testedChange({
    operation: 'deleteSshKey',
    histories: ['ssh-key-deleted'],
    change: { method: 'DELETE', path: new RegExp(`^${KEYS_PATH}/`) },
    read: new RegExp(`^${KEYS_PATH}/`),
    input: (of) => ({ keyId: FIRST + of }),
    state: (of) => ({ sshKeys: of.map(keyOf) }),
    isDone: ({ sshKeys }, of) => !sshKeys.some(({ id }) => id === FIRST + of),
  }),
};
