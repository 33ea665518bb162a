/**
 * The fields that this version knows of what runs record and hand over. A run with another field was prepared by a
 * newer version, and decides in a way that this one does not know. Free of zod.
 */
import type { Operation } from '../names.js';
import type { PollPolicy, RunPolicy, TypicalDuration } from '../../../engine/core/run-policy.js';
import type { DeleteTarget, PreparedDeleteInstance } from './delete-instance.js';
import type { PreparedGrantSftpAccess } from './grant-sftp-access.js';
import type { EarlierRuns, PreparedImportVideos } from './import-videos.js';
import type { PreparedListSshKeys } from './list-ssh-keys.js';
import type { PreparedModifyKvStore } from './modify-kv-store.js';
import type {
  PreparedMaker,
  PreparedRun,
  PreparedSender,
} from '../../../engine/core/prepared-run.js';
import type { PreparedProtectIp } from './protect-ip.js';
import type { PreparedProvisionInstance } from './provision-instance.js';

/** The fields of an object. `true`: what it holds is not looked at, because callers choose it or it has no fields. */
export type Known = true | KnownFields;
export interface KnownFields {
  readonly [field: string]: Known;
}

/** Stands for every name, in an object whose names are data. */
const ANY_NAME = '*';

/** All fields of `T`, so that a forgotten one does not compile. Of a union, those of every member. */
export type FieldsOf<T> = Readonly<Record<NamesOf<T>, Known>>;
type NamesOf<T> = T extends unknown ? keyof T : never;

const DURATION = {
  firstMs: true,
  usualMs: true,
  shareOfElapsed: true,
  giveUpMs: true,
} as const satisfies FieldsOf<TypicalDuration>;

const POLL = {
  minMs: true,
  maxMs: true,
  shareOfElapsed: true,
  looksByTimer: true,
  typical: { [ANY_NAME]: DURATION },
  otherwise: DURATION,
} as const satisfies FieldsOf<PollPolicy>;

const POLICY = {
  reconcileGraceMs: true,
  poll: POLL,
  traceTasks: true,
  watcher: true,
  longestRetryMs: true,
  freshMs: true,
  probeMs: true,
  mostEvents: true,
  mostUpdates: true,
  searchAttributes: true,
} as const satisfies FieldsOf<RunPolicy>;

const RUN = {
  account: true,
  onFailure: true,
  onBlocked: true,
  planOnly: true,
  deadlineMs: true,
  policy: POLICY,
  priorityKey: true,
  notify: true,
} as const satisfies FieldsOf<PreparedRun>;

const SENDER = {
  ...RUN,
  cutShortAt: true,
  marker: true,
  maker: true,
} as const satisfies FieldsOf<PreparedSender>;

const MAKER = {
  ...SENDER,
  projectId: true,
  regionId: true,
} as const satisfies FieldsOf<PreparedMaker>;

interface Prepared {
  provisionInstance: PreparedProvisionInstance;
  protectIp: PreparedProtectIp;
  modifyKvStore: PreparedModifyKvStore;
  importVideos: PreparedImportVideos;
  grantSftpAccess: PreparedGrantSftpAccess;
  deleteInstance: PreparedDeleteInstance;
  listSshKeys: PreparedListSshKeys;
}

/** What `prepare…` returns, by operation. */
export const PREPARED_FIELDS = {
  provisionInstance: {
    ...MAKER,
    waitFor: true,
    replaceBroken: true,
    alternatives: true,
    protect: true,
  },
  protectIp: {
    ...MAKER,
    address: true,
    profile: true,
    profileId: true,
    active: true,
    bgp: true,
    holdForMs: true,
  },
  modifyKvStore: {
    ...RUN,
    storeId: true,
    force: true,
    allowIrreversible: true,
    verify: true,
    chunkItems: true,
    chunks: true,
  },
  importVideos: {
    ...SENDER,
    waitFor: true,
    tolerate: true,
    canary: true,
    inline: { batches: true, digest: true },
    earlier: { since: true, digests: true } satisfies FieldsOf<EarlierRuns>,
  },
  grantSftpAccess: {
    ...RUN,
    storageId: true,
    keyNames: true,
    mostKeys: true,
    projectId: true,
    cutShortAt: true,
  },
  deleteInstance: {
    ...RUN,
    projectId: true,
    regionId: true,
    target: {
      instanceId: true,
      madeBy: true,
      marker: true,
      namespaceId: true,
    } satisfies FieldsOf<DeleteTarget>,
    volumes: true,
    floatingIps: true,
  },
  listSshKeys: { ...RUN, name: true },
} as const satisfies { [O in Operation]: FieldsOf<Prepared[O]> };

/** The paths of the fields in `value` that are not among the known ones. */
export function unknownFields(value: unknown, known: Known, path = ''): string[] {
  if (known === true || !(value instanceof Object)) return [];
  return Object.entries(value).flatMap(([name, inner]) => {
    const field = Object.hasOwn(known, name) ? known[name] : known[ANY_NAME];
    const at = path === '' ? name : `${path}.${name}`;
    // JSON knows no `undefined`: such a field is not recorded.
    if (inner === undefined) return [];
    return field === undefined ? [at] : unknownFields(inner, field, at);
  });
}
