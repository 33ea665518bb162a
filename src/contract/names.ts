/**
 * Names on the wire: workflow types, task queues, ids, search attributes, the marker.
 *
 * Free of zod, so workflow code may import its values.
 */

/** Workflow Types. The key and the wire name are the same word on purpose. */
export const Operation = {
  provisionInstance: 'provisionInstance',
  protectIp: 'protectIp',
  listSshKeys: 'listSshKeys',
  grantSftpAccess: 'grantSftpAccess',
  importVideos: 'importVideos',
  modifyKvStore: 'modifyKvStore',
} as const;
export type Operation = (typeof Operation)[keyof typeof Operation];

/** Where every workflow runs. Separate from the API queues so that a rate limit never holds back decisions. */
export const WORKFLOW_TASK_QUEUE = 'gcore-workflows';

/** The account (one API key, one rate budget) used when an input names none. */
export const DEFAULT_ACCOUNT = 'default';

/**
 * Task queue of the HTTP calls of one account.
 * One queue an account, because the server-side rate limit of a queue is the account's request budget.
 */
export function apiTaskQueue(account: string): string {
  return `gcore-api-${account}`;
}

/**
 * Task queue of the HTTP calls of the account's urgent runs. Separate, because on a rate limited
 * queue even the first in line waits for the next token, and a run pays that for each of its calls.
 */
export function urgentTaskQueue(account: string): string {
  return `gcore-urgent-${account}`;
}

/**
 * Task queue of the waiters of one account. Separate, because they are many, hold their slot for as
 * long as a task takes, and must not be paced like requests.
 */
export function watchTaskQueue(account: string): string {
  return `gcore-watch-${account}`;
}

const WORKFLOW_ID_PREFIX = {
  provisionInstance: 'provision-instance',
  protectIp: 'protect-ip',
  listSshKeys: 'list-ssh-keys',
  grantSftpAccess: 'grant-sftp-access',
  importVideos: 'import-videos',
  modifyKvStore: 'modify-kv-store',
} as const satisfies Record<Operation, string>;

/** `<workflow-kebab>/<account>/<request id>`: the same request always has the same id, so it runs once. */
export function workflowIdFor(operation: Operation, account: string, requestId: string): string {
  return `${WORKFLOW_ID_PREFIX[operation]}/${account}/${requestId}`;
}

const PLAN_PREFIX = 'plan/';
const NONCE = /@[0-9a-f]{8}$/;

/**
 * Workflow Id of a plan: `plan/<Workflow Id of the request>`. An id of its own, because a run that
 * succeeds under the request's own id stands for the request. With a nonce each plan is a new one.
 */
export function planIdFor(workflowId: string, nonce?: string): string {
  return `${PLAN_PREFIX}${workflowId}${nonce === undefined ? '' : `@${nonce}`}`;
}

/** Workflow Id of the request that a plan is for; `undefined` when this is no id of a plan. */
export function plannedIdOf(workflowId: string): string | undefined {
  if (!workflowId.startsWith(PLAN_PREFIX)) return undefined;
  return workflowId.slice(PLAN_PREFIX.length).replace(NONCE, '');
}

/** Workflow type of the lock behind a turn: a child of the run whose turn it is. No operation. */
export const HOLD_TURN = 'holdTurn';

/** There is one run of an id at a time: this is what makes runs that write one thing take turns. */
export function turnIdFor(account: string, resource: string): string {
  return `turn/${account}/${resource}`;
}

/** What writers of a KV store take turns at. */
export function kvStoreResource(storeId: number): string {
  return `kv-store/${storeId}`;
}

/**
 * Tag that marks at the API what a run created: `<namespace>/<Workflow Id>`, or its hash.
 * The API has no idempotency key; this tag is how a lost answer is found again.
 */
export const MARKER_TAG = 'workflow-request';

/**
 * Temporal's priority keys: calls of an urgent run go out before those of others that wait for the
 * same account's request budget.
 */
export const Urgency = {
  incident: 1,
  normal: 3,
  bulk: 5,
} as const;
export type Urgency = keyof typeof Urgency;

/** Whether calls of this priority key go before those of usual runs; without one they do not. */
export function isUrgent(priorityKey: number = Urgency.normal): boolean {
  return priorityKey < Urgency.normal;
}

/** What a query is told while its run is taken over by another worker; see engine/refuse-stale-time. */
export const ASK_AGAIN = 'The run is just being taken over by another worker: ask again';

/** Search attributes; a namespace without them works too. */
export const SearchAttribute = {
  phase: 'GcorePhase',
  account: 'GcoreAccount',
  resourceId: 'GcoreResourceId',
} as const;
