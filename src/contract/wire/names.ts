/** Names on the wire: workflow types, task queues, ids, search attributes, the marker. */

import { plannedIdOf } from '../../engine/core/names.js';

/** Project and region of a cloud call. */
export interface Place {
  projectId: number;
  regionId: number;
}

/** Name of the memo with the place where a run makes its thing, where its input leaves that to the worker. */
export const PLACE_MEMO = 'madeIn';

/** Workflow Types. The key and the wire name are the same word on purpose. */
export const Operation = {
  provisionInstance: 'provisionInstance',
  protectIp: 'protectIp',
  listSshKeys: 'listSshKeys',
  listVideos: 'listVideos',
  grantSftpAccess: 'grantSftpAccess',
  importVideos: 'importVideos',
  modifyKvStore: 'modifyKvStore',
  deleteInstance: 'deleteInstance',
  resizeInstance: 'resizeInstance',
  setInstancePower: 'setInstancePower',
  extendVolume: 'extendVolume',
  attachVolume: 'attachVolume',
  detachVolume: 'detachVolume',
  revertVolume: 'revertVolume',
  removeProtection: 'removeProtection',
  moveFloatingIp: 'moveFloatingIp',
  createVolume: 'createVolume',
  snapshotVolume: 'snapshotVolume',
  createSshKey: 'createSshKey',
  deleteSshKey: 'deleteSshKey',
  createKvStore: 'createKvStore',
  replaceKvStore: 'replaceKvStore',
  deleteKvStore: 'deleteKvStore',
  createSftpStorage: 'createSftpStorage',
  rotateSftpPassword: 'rotateSftpPassword',
  deleteVideo: 'deleteVideo',
  updateVideo: 'updateVideo',
  addSubtitles: 'addSubtitles',
  replaceInstance: 'replaceInstance',
  callApi: 'callApi',
  runBatch: 'runBatch',
} as const;
export type Operation = (typeof Operation)[keyof typeof Operation];

/** Task queue of all workflows. Separate from the API queues, so that a rate limit never delays a workflow task. */
export const WORKFLOW_TASK_QUEUE = 'gcore-workflows';

/**
 * Task queue of the HTTP calls of one account. Each account has its own queue, because the
 * server-side rate limit of the queue is the account's request budget.
 */
export function apiTaskQueue(account: string): string {
  return `gcore-api-${account}`;
}

/**
 * Task queue of the HTTP calls of the account's urgent runs. Separate, because on a rate-limited
 * queue even the first call in line waits for the next token, and a run would wait at every call.
 */
export function urgentTaskQueue(account: string): string {
  return `gcore-urgent-${account}`;
}

/**
 * Task queue of the activities that wait for tasks of one account. Separate, because they are many,
 * hold their slot for as long as a task takes, and must not be paced like requests.
 */
export function watchTaskQueue(account: string): string {
  return `gcore-watch-${account}`;
}

/**
 * Task queue of the webhooks of one account. Separate, because a receiver that does not answer must
 * hold up nothing else.
 */
export function webhookTaskQueue(account: string): string {
  return `gcore-webhooks-${account}`;
}

/** The account of a queue of `apiTaskQueue`, `urgentTaskQueue` or `watchTaskQueue`. */
export function accountOfQueue(taskQueue: string): string | undefined {
  return /^gcore-(?:api|urgent|watch)-(.+)$/.exec(taskQueue)?.[1];
}

/** `protectIp` → `protect-ip` */
export function toKebab(name: string): string {
  return name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}

export function prefixOf(operation: Operation): string {
  return toKebab(operation);
}

/** How the Workflow Ids of the parts of a run end, by its operation; those of the parts of its parts too. */
export const PARTS = {
  [Operation.provisionInstance]: ['protect'],
  [Operation.replaceInstance]: ['instance', 'undo', 'move', 'back', 'delete', 'protect'],
} as const satisfies { [O in Operation]?: readonly string[] };
export type PartName = (typeof PARTS)[keyof typeof PARTS][number];

/** The Workflow Id of a run that does a part of another one's work. */
export function partIdFor(workflowId: string, as: PartName): string {
  return `${workflowId}/${as}`;
}

/** The part of `replaceInstance` that creates the new instance. */
export const NEW_INSTANCE = 'instance';

/** `<workflow-kebab>/<account>/<request id>`: the same request always has the same id, so it runs once. */
export function workflowIdFor(operation: Operation, account: string, requestId: string): string {
  return `${prefixOf(operation)}/${account}/${requestId}`;
}

/** The request id in an id of `workflowIdFor`, or of its plan; `undefined` for an id of the caller. */
export function requestIdOfRun(workflowId: string): string | undefined {
  return /^[^/]+\/[^/]+\/(.+)$/.exec(plannedIdOf(workflowId) ?? workflowId)?.[1];
}

/** The operation that an id of `workflowIdFor`, or of its plan, names; `undefined` for an id of the caller. */
export function operationOfId(workflowId: string): Operation | undefined {
  const [prefix] = (plannedIdOf(workflowId) ?? workflowId).split('/');
  return Object.values(Operation).find((operation) => prefixOf(operation) === prefix);
}

/** The resource for which runs that protect an address take turns. */
export function addressResource(address: string): string {
  return `ip/${address}`;
}

/** The resource for which runs that add a key of one name take turns. */
export function sshKeyNameResource(name: string): string {
  return `ssh-key-name/${name}`;
}

/** The resource for which runs that delete a key take turns. */
export function sshKeyResource(keyId: number): string {
  return `ssh-key/${keyId}`;
}

/** The resource for which runs that make an SFTP storage of one name take turns. */
export function sftpStorageNameResource(name: string): string {
  return `sftp-storage-name/${name}`;
}

/** The resource for which runs that change an SFTP storage take turns. */
export function sftpStorageResource(storageId: number): string {
  return `sftp-storage/${storageId}`;
}

/** The resource for which runs that change or delete a video take turns. */
export function videoResource(videoId: number): string {
  return `video/${videoId}`;
}

/** The resource for which runs that call a path of their own choice take turns. The API writes ids in lower case. */
export function apiPathResource(path: string): string {
  return `api-path${path.toLowerCase()}`;
}

/** The resource for which runs that change an instance take turns. The API writes ids in lower case. */
export function instanceResource(instanceId: string): string {
  return `instance/${instanceId.toLowerCase()}`;
}

/** The resource for which runs that change a volume take turns. */
export function volumeResource(volumeId: string): string {
  return `volume/${volumeId.toLowerCase()}`;
}

/** The resource for which runs that move a floating IP take turns. */
export function floatingIpResource(floatingIpId: string): string {
  return `floating-ip/${floatingIpId.toLowerCase()}`;
}

/** The resource for which runs that make a KV store of one name take turns. */
export function kvStoreNameResource(name: string): string {
  return `kv-store-name/${name}`;
}

/** The resource for which runs that write into a KV store, change it or delete it take turns. */
export function kvStoreResource(storeId: number): string {
  return `kv-store/${storeId}`;
}

/**
 * Tag on every resource that a run creates: `<namespace>/<Workflow Id>`, or its hash.
 * The API has no idempotency key. After a lost answer the run finds its resource by this tag.
 */
export const MARKER_TAG = 'workflow-request';

/**
 * Second tag on these resources: `<id of the Temporal namespace>/<Run Id>`. The marker says for which
 * request something was made. This tag says which run made it: only that run may remove it.
 */
export const MAKER_TAG = 'workflow-run';

/** The tags that the worker sets. An input must not contain them. */
export const OWN_TAGS: readonly string[] = [MARKER_TAG, MAKER_TAG];

/** Search attributes. A namespace without them works too. */
export const SearchAttribute = {
  phase: 'GcorePhase',
  account: 'GcoreAccount',
  resourceId: 'GcoreResourceId',
  labels: 'GcoreLabels',
} as const;

/** What a run of `protectIp` holds. */
export const Held = { protected: 'protected', notProtected: 'not protected' } as const;
export type Held = (typeof Held)[keyof typeof Held];

/** Kinds of resources a ledger names. */
export const ResourceKind = {
  instance: 'instance',
  volume: 'volume',
  snapshot: 'snapshot',
  floatingIp: 'floating-ip',
  /** A key that an SFTP storage takes; its id is `<storage id>/<key id>`. */
  sshKeyLink: 'ssh-key-link',
  ddosProfile: 'ddos-profile',
  sshKey: 'ssh-key',
  kvStore: 'kv-store',
  sftpStorage: 'sftp-storage',
  video: 'video',
  subtitles: 'subtitles',
  /** Many of them: the id is numbers and ranges, such as `1-500 502`. */
  videos: 'videos',
} as const;
export type ResourceKind = (typeof ResourceKind)[keyof typeof ResourceKind];

/**
 * Stands for the ids of all videos under a marker of the caller: in the look before the first call they are of others.
 */
export const ALL_OF_OTHERS = 'all';
