/** What `prepare…` of each operation returns, and its fields as this version knows them. */
import type { DdosProfileBody, ProtectionBody } from '../api/ddos.js';
import type { DeleteChoice } from '../operations/delete-instance.js';
import type { Tolerate } from '../operations/bulk-input.js';
import type { Alternative } from '../operations/provision-instance.js';
import type { BatchTerms } from './batch.js';
import { Operation, type Place } from './names.js';
import type { ImportedState, VideoField } from './videos.js';
import {
  CHANGE_FIELDS,
  RUN_FIELDS,
  SENDER_FIELDS,
  type FieldsOf,
  type KnownFields,
  type PreparedChange,
  type PreparedSender,
  type PreparedRun,
} from '../../engine/core/prepared-run.js';

/** A run that creates cloud resources, in one project and region. */
export interface PreparedMaker extends PreparedSender, Place {}

/** A run that changes one thing in a project and region: its input says all the rest. */
export interface PreparedPlacedChange extends PreparedChange, Place {}

/** The instance to delete, by its id or by the request that created it. */
export type DeleteTarget = { instanceId: string } | MarkedTarget;

/** What the run `madeBy` has made: it has set this marker. */
export interface MarkedTarget {
  madeBy: string;
  marker: string;
  namespaceId: string;
  /** Its run is known, and has succeeded in this place: it has made an instance. Otherwise only what carries its marker says so. */
  hasMade: boolean;
}

export interface PreparedDeleteInstance extends PreparedRun {
  projectId: number;
  regionId: number;
  target: DeleteTarget;
  volumes: DeleteChoice;
  floatingIps: DeleteChoice;
  unlessFloatingIpId?: string;
  unlessSnapshots?: true;
  /** When an earlier run of this id was terminated: one of its calls may still be in flight. */
  cutShortAt?: number;
}

export interface PreparedGrantSftpAccess extends PreparedRun {
  storageId: number;
  keyNames: string[];
  /** The most keys that a storage accepts. */
  mostKeys: number;
  onFailure: 'rollback' | 'keep';
  /** Project whose cloud keys are searched when a name is not among the SFTP keys. */
  projectId?: number;
  /** When an earlier run of this id was terminated: one of its calls may still be in flight. */
  cutShortAt?: number;
}

/** Ended runs with the same id. */
export interface EarlierRuns {
  /** When the first of them began, in milliseconds since the epoch; missing when there were none. */
  since?: number;
  /** Digests of the lists that they imported. `unknown`: the Temporal server cannot list runs now. */
  digests: string[] | 'unknown';
}

/** Some of the videos of the input. Lines count from 1. */
export interface InlineBatch {
  lines: string;
}

export interface PreparedImportVideos extends PreparedSender {
  waitFor: ImportedState;
  /** What the report has of each video; nothing when missing. */
  fields?: readonly VideoField[];
  tolerate: Tolerate;
  canary?: number;
  /** Batches of the videos in the input itself; a scan finds those of a manifest. */
  inline?: { batches: InlineBatch[]; digest: string };
  earlier: EarlierRuns;
}

export interface PreparedAddSubtitles extends PreparedChange {
  /** Of the text, see `subtitleDigest`: the workflow itself cannot make it. */
  digest: string;
}

export interface PreparedListSshKeys extends PreparedRun {
  name?: string;
}

export interface PreparedListVideos extends PreparedRun {
  fields: readonly VideoField[];
}

/** Consecutive items of the list that one call writes. */
export interface KvChunk {
  /** Index of its first item. */
  first: number;
  count: number;
  /** An earlier chunk writes one of its keys too: this chunk must come after it. */
  rewrites: boolean;
}

export interface PreparedModifyKvStore extends PreparedRun {
  storeId: number;
  force: boolean;
  allowIrreversible: boolean;
  verify: 'sample' | 'all';
  chunkItems: number;
  /** Chunks of the items in the input; those of a manifest are known after it has been read. */
  chunks?: KvChunk[];
  /** When an earlier run of this id was terminated: one of its calls may still be in flight. */
  cutShortAt?: number;
}

export interface PreparedProtectIp extends PreparedMaker {
  /** In canonical form, so that two spellings of one address compare as equal. */
  address: string;
  /** As the input has it: `fields` may be missing. */
  profile: DdosProfileBody;
  profileId?: number;
  active: boolean;
  /** When missing, the profile keeps its value. */
  bgp?: boolean;
  holdForMs?: number;
}

export interface PreparedProvisionInstance extends PreparedMaker {
  waitFor: 'task' | 'active';
  /** The caller gives up a broken instance that an earlier, successful run of the request made. */
  replaceBroken?: true;
  alternatives?: Alternative[];
  protect?: ProtectionBody;
}

export interface PreparedReplaceInstance extends PreparedRun, Place {
  onFailure: 'rollback' | 'keep';
  /** What the run prepares that creates the new instance, for the plan: missing in a run. */
  instance?: PreparedProvisionInstance;
  /** Marker of the new instance. */
  marker: string;
  /** When an earlier run of this id was cut short or reset: so may have been those of its parts. */
  cutShortAt?: number;
}

export interface PreparedRunBatch extends PreparedRun {
  terms: BatchTerms;
  atOnce: number;
  canary?: number;
  tolerate: Tolerate;
  onAbort: 'leave' | 'cancel';
}

const PLACED_CHANGE = {
  ...CHANGE_FIELDS,
  projectId: true,
  regionId: true,
} as const satisfies FieldsOf<PreparedPlacedChange>;

const MAKER = {
  ...SENDER_FIELDS,
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
  listVideos: PreparedListVideos;
  createVolume: PreparedMaker;
  snapshotVolume: PreparedMaker;
  addSubtitles: PreparedAddSubtitles;
  replaceInstance: PreparedReplaceInstance;
  runBatch: PreparedRunBatch;
}

const PROVISION = {
  ...MAKER,
  waitFor: true,
  replaceBroken: true,
  alternatives: true,
  protect: true,
} as const satisfies FieldsOf<PreparedProvisionInstance>;

/** Of the operations that prepare more than a step needs. */
const OWN_FIELDS = {
  provisionInstance: PROVISION,
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
    ...RUN_FIELDS,
    storeId: true,
    force: true,
    allowIrreversible: true,
    verify: true,
    chunkItems: true,
    chunks: true,
    cutShortAt: true,
  },
  importVideos: {
    ...SENDER_FIELDS,
    waitFor: true,
    fields: true,
    tolerate: true,
    canary: true,
    inline: { batches: true, digest: true },
    earlier: { since: true, digests: true } satisfies FieldsOf<EarlierRuns>,
  },
  grantSftpAccess: {
    ...RUN_FIELDS,
    storageId: true,
    keyNames: true,
    mostKeys: true,
    projectId: true,
    cutShortAt: true,
  },
  deleteInstance: {
    ...RUN_FIELDS,
    projectId: true,
    regionId: true,
    target: {
      instanceId: true,
      madeBy: true,
      marker: true,
      namespaceId: true,
      hasMade: true,
    } satisfies FieldsOf<DeleteTarget>,
    volumes: true,
    floatingIps: true,
    unlessFloatingIpId: true,
    unlessSnapshots: true,
    cutShortAt: true,
  },
  listSshKeys: { ...RUN_FIELDS, name: true },
  listVideos: { ...RUN_FIELDS, fields: true },
  createVolume: MAKER,
  snapshotVolume: MAKER,
  addSubtitles: { ...CHANGE_FIELDS, digest: true },
  replaceInstance: {
    ...RUN_FIELDS,
    projectId: true,
    regionId: true,
    instance: PROVISION,
    marker: true,
    cutShortAt: true,
  },
  runBatch: {
    ...RUN_FIELDS,
    terms: {
      operation: true,
      account: true,
      prefix: true,
      key: true,
      makes: true,
      defaults: true,
      labels: true,
      onBlocked: true,
    } satisfies FieldsOf<BatchTerms>,
    atOnce: true,
    canary: true,
    tolerate: true,
    onAbort: true,
  },
} as const satisfies { [O in keyof Prepared]: FieldsOf<Prepared[O]> };

/** What `prepare…` returns, by operation. */
export const PREPARED_FIELDS: Readonly<Record<Operation, KnownFields>> = {
  ...byOperation(PLACED_CHANGE),
  ...OWN_FIELDS,
};

function byOperation(fields: KnownFields): Record<Operation, KnownFields>;
function byOperation(fields: KnownFields): Record<string, KnownFields> {
  return Object.fromEntries(Object.values(Operation).map((operation) => [operation, fields]));
}
