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
import { badInputsOf } from '../inputs/bad-input.js';
import { BAD_CALLS, ONE_VOLUME, renamedVolume, renamedVolumeOf, renaming } from './api-calls.js';
import { STORES_PATH } from '../worlds/kv-stores.js';
import { stateWithStorages, STORAGES_PATH } from '../worlds/sftp-storages.js';
import { stateWithVideos, VIDEOS_PATH } from '../worlds/videos.js';
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
  isDone: (now: Inventory, of: number, state: SimulatorState) => boolean;
  readsInChange?: OperationCase['readsInChange'];
  badInputs?: TestedOperation<O>['badInputs'];
  /** The most things of one name, where a second one is a fault. */
  most?: (state: SimulatorState) => number;
}

/** The name of a request ends with its number, counted from 0. */
const numberOf = (name: string): number => Number(/\d+$/.exec(name)?.[0] ?? 0);

/** What is made is looked for twice before. */
function looksOf(operation: TestedChange): number {
  return MAKING.includes(operation) ? 2 : 1;
}

const MAKING: readonly TestedChange[] = [
  'createSshKey',
  'createSftpStorage',
  'createKvStore',
  'addSubtitles',
];

function testedChange<O extends TestedChange>({
  operation,
  histories,
  change,
  read,
  input,
  state = () => ({}),
  isDone,
  readsInChange = 0,
  badInputs = [],
  most,
}: StatedChange<O>): TestedOperation<O> {
  const matrix: MatrixOperation = {
    operation,
    calls: {
      create: change,
      verify: { method: 'GET', path: read, nth: 1 + looksOf(operation) + readsInChange },
    },
    without: ['list lag', 'task ERROR', 'task 404'],
    leftovers: ['none'],
    input: ({ seed }) => input(FIRST + seed),
    stateFor: (seeds) => state(seeds.map((seed) => FIRST + seed)),
    judge: ({ seed, status: { phase }, simulator }) => ({
      differences: 0,
      isTrue:
        phase !== Phase.succeeded ||
        isDone(simulator.inventory(), FIRST + seed, simulator.snapshot()),
    }),
    ...(most && { most }),
  };
  const plainCase: OperationCase<O> = {
    operation,
    makes: 1,
    changes: change.method,
    readsInChange,
    state: { ...createSimulator().snapshot(), ...state([0, ...idsFrom(1, 100)]) },
    input: (name) => input(numberOf(name)),
  };
  return {
    workflowId: `${toKebab(operation)}/blue/audit-7`,
    cases: [plainCase],
    matrix,
    histories,
    badInputs,
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

function storeOf(of: number): SimulatorState['kvStores'][number] {
  const id = String(FIRST + of);
  const rest = { comment: '', byod: null, appIds: [], revision: 1, updatedAt: START };
  return { id, name: `seed-${of}`, ...rest };
}

const badName = badInputsOf('createKvStore', { name: 'redirects' });
const badChange = badInputsOf('replaceKvStore', { storeId: 17 });

/** The number of stores of the name that comes up most. */
function mostOfOneName({ kvStores }: SimulatorState): number {
  const names = kvStores.map(({ name }) => name);
  return names.length - new Set(names).size + 1;
}

const ONE_VIDEO = new RegExp(`^${VIDEOS_PATH}/\\d+$`);
const SUBTITLES = new RegExp(`^${VIDEOS_PATH}/\\d+/subtitles$`);
const SUBTITLED = { videoId: 7, name: 'English', language: 'eng', vtt: 'WEBVTT\n' };
const badUpdate = badInputsOf('updateVideo', { videoId: 7 });
const badSubtitles = badInputsOf('addSubtitles', SUBTITLED);

function videosOf(of: readonly number[]): Partial<SimulatorState> {
  return { videos: stateWithVideos(of.map((id) => ({ id: FIRST + id }))).videos };
}

/** The number of subtitles of the video that has the most. */
function mostSubtitlesOfOne({ subtitles }: SimulatorState): number {
  const counts = new Map<string, number>();
  for (const { videoId } of subtitles) counts.set(videoId, (counts.get(videoId) ?? 0) + 1);
  return Math.max(0, ...counts.values());
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
  createKvStore: testedChange({
    operation: 'createKvStore',
    histories: ['kv-store-created'],
    change: { method: 'POST', path: STORES_PATH },
    read: new RegExp(`^${STORES_PATH}$`),
    input: (of) => ({ name: `made-${of}`, comment: 'made' }),
    isDone: ({ kvStores }, of) => kvStores.filter(({ name }) => name === `made-${of}`).length === 1,
    most: mostOfOneName,
    badInputs: [
      badName('a name that the API might cut', { name: ' redirects' }, ['name', /with a space/]),
      badName('a name of two lines', { name: 'a\nb' }, ['name', /one line/]),
      badName('a name that a look cuts', { name: '"'.repeat(150) }, ['name', /256 bytes/]),
    ],
  }),
  replaceKvStore: testedChange({
    operation: 'replaceKvStore',
    histories: ['kv-store-replaced'],
    change: { method: 'PUT', path: new RegExp(`^${STORES_PATH}/`) },
    read: new RegExp(`^${STORES_PATH}/`),
    // It compares the store.
    readsInChange: 1,
    input: (of) => ({ storeId: FIRST + of, comment: 'new' }),
    badInputs: [badChange('nothing to change', {}, ['name', /is missing: .*"comment"/])],
    state: (of) => ({ kvStores: of.map(storeOf) }),
    isDone: ({ kvStores }, of) =>
      kvStores.some(({ id, comment }) => id === FIRST + of && comment === 'new'),
  }),
  deleteKvStore: testedChange({
    operation: 'deleteKvStore',
    histories: ['kv-store-deleted'],
    change: { method: 'DELETE', path: new RegExp(`^${STORES_PATH}/`) },
    read: new RegExp(`^${STORES_PATH}/`),
    input: (of) => ({ storeId: FIRST + of }),
    state: (of) => ({ kvStores: of.map(storeOf) }),
    isDone: ({ kvStores }, of) => !kvStores.some(({ id }) => id === FIRST + of),
  }),
  deleteVideo: testedChange({
    operation: 'deleteVideo',
    histories: ['video-deleted'],
    change: { method: 'DELETE', path: ONE_VIDEO },
    read: ONE_VIDEO,
    input: (of) => ({ videoId: FIRST + of }),
    state: videosOf,
    isDone: ({ videos }, of) => !videos.some(({ id }) => id === FIRST + of),
  }),
  updateVideo: testedChange({
    operation: 'updateVideo',
    histories: ['video-updated'],
    change: { method: 'PATCH', path: ONE_VIDEO },
    read: ONE_VIDEO,
    input: (of) => ({ videoId: FIRST + of, name: `renamed-${of}` }),
    readsInChange: 1,
    badInputs: [
      badUpdate('nothing to change of a video', {}, ['name', /is missing: .*"screenshotId"/]),
      badUpdate('a video without a name', { name: ' ' }, ['name', /must not be empty/]),
      badUpdate('a screenshot below the poster', { screenshotId: -2 }, [
        'screenshotId',
        /-1: the poster/,
      ]),
    ],
    state: videosOf,
    isDone: ({ videos }, of) =>
      videos.some(({ id, name }) => id === FIRST + of && name === `renamed-${of}`),
  }),
  addSubtitles: testedChange({
    operation: 'addSubtitles',
    histories: ['subtitles-added'],
    change: { method: 'POST', path: SUBTITLES },
    read: SUBTITLES,
    input: (of) => ({ ...SUBTITLED, videoId: FIRST + of }),
    state: videosOf,
    isDone: (_now, of, { subtitles }) =>
      subtitles.filter(({ videoId }) => videoId === String(FIRST + of)).length === 1,
    most: mostSubtitlesOfOne,
    badInputs: [
      badSubtitles('another format', { vtt: '1\n00:00:01,000' }, ['vtt', /must be WebVTT/]),
      // Each end of a line has two bytes as JSON.
      badSubtitles(
        'a text that is too long for a history',
        { vtt: `WEBVTT${'\n'.repeat(131_072)}` },
        ['vtt', /at most 262144 bytes as JSON, because the history/],
      ),
      badSubtitles('a language of two letters', { language: 'en' }, ['language', /three letters/]),
      badSubtitles('subtitles without a name', { name: ' ' }, ['name', /must not be empty/]),
    ],
  }),
  callApi: testedChange({
    operation: 'callApi',
    histories: ['api-called', 'api-call-unknown'],
    change: { method: 'PATCH', path: ONE_VOLUME },
    read: ONE_VOLUME,
    input: (of) => renaming(FIRST + of),
    state: (of) => ({ volumes: of.map((id) => renamedVolume(FIRST + id)) }),
    isDone: ({ volumes }, of) =>
      volumes.some(
        ({ id, name }) => id === renamedVolumeOf(FIRST + of) && name === `renamed-${FIRST + of}`,
      ),
    badInputs: BAD_CALLS,
  }),
};
