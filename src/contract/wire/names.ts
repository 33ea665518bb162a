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
  deleteInstance: 'deleteInstance',
} as const;
export type Operation = (typeof Operation)[keyof typeof Operation];

/** Task queue of all workflows. Separate from the API queues, so that a rate limit never delays a workflow task. */
export const WORKFLOW_TASK_QUEUE = 'gcore-workflows';

/** The account that a run uses when its input names none. An account is one API key with one rate budget. */
export const DEFAULT_ACCOUNT = 'default';

/** Names of accounts, in inputs and in the configuration of a worker. */
export const ACCOUNT_NAME = /^[a-z0-9][a-z0-9-]{0,62}$/;

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

const WORKFLOW_ID_PREFIX = {
  provisionInstance: 'provision-instance',
  protectIp: 'protect-ip',
  listSshKeys: 'list-ssh-keys',
  grantSftpAccess: 'grant-sftp-access',
  importVideos: 'import-videos',
  modifyKvStore: 'modify-kv-store',
  deleteInstance: 'delete-instance',
} as const satisfies Record<Operation, string>;

/** `<workflow-kebab>/<account>/<request id>`: the same request always has the same id, so it runs once. */
export function workflowIdFor(operation: Operation, account: string, requestId: string): string {
  return `${WORKFLOW_ID_PREFIX[operation]}/${account}/${requestId}`;
}

/** The operation that an id of `workflowIdFor`, or of its plan, names; `undefined` for an id of the caller. */
export function operationOfId(workflowId: string): Operation | undefined {
  const [prefix] = (plannedIdOf(workflowId) ?? workflowId).split('/');
  return Object.values(Operation).find((operation) => WORKFLOW_ID_PREFIX[operation] === prefix);
}

const PLAN_PREFIX = 'plan/';
const NONCE = /@[0-9a-f]{8}$/;

/**
 * Workflow Id of a plan: `plan/<Workflow Id of the request>`. A plan has its own id, because a
 * success under the request's id counts as the request being done. A nonce makes each plan a new run.
 */
export function planIdFor(workflowId: string, nonce?: string): string {
  return `${PLAN_PREFIX}${workflowId}${nonce === undefined ? '' : `@${nonce}`}`;
}

/** Workflow Id of the request that a plan is for; `undefined` for an id that is not of a plan. */
export function plannedIdOf(workflowId: string): string | undefined {
  if (!workflowId.startsWith(PLAN_PREFIX)) return undefined;
  return workflowId.slice(PLAN_PREFIX.length).replace(NONCE, '');
}

/** Workflow Type of the lock behind a turn: a child of the run that has the turn. It is not an operation. */
export const HOLD_TURN = 'holdTurn';

/** Workflow Id of `holdTurn`. Temporal allows one open run per id, so runs that write one resource take turns. */
export function turnIdFor(account: string, resource: string): string {
  return `turn/${account}/${resource}`;
}

/** What a run says in its status while another one has the turn. */
export function heldBy({ holder, since }: { holder: string; since: string }): string {
  return `held by ${holder} since ${since}`;
}

/** The Workflow Id of the run that has the turn; `undefined` for any other state of a wait. */
export function holderOf(state = ''): string | undefined {
  return /^held by (.+) since \S+Z$/.exec(state)?.[1];
}

/** Workflow Type of the delivery of a run's webhooks: a child that outlives the run. It is not an operation. */
export const DELIVER_WEBHOOKS = 'deliverWebhooks';

/** Temporal allows 1,000 bytes. */
const MAX_READABLE_ID = 900;

/** Workflow Id of `deliverWebhooks`. @param runId of the first history of the run */
export function webhooksIdFor(workflowId: string, runId: string): string {
  // A character may take three bytes.
  const isReadable = workflowId.length * 3 <= MAX_READABLE_ID;
  return isReadable ? `webhooks/${workflowId}/${runId}` : `webhooks/${runId}`;
}

/** The resource for which runs that protect an address take turns. */
export function addressResource(address: string): string {
  return `ip/${address}`;
}

/** The resource for which runs that link keys to an SFTP storage take turns. */
export function sftpStorageResource(storageId: number): string {
  return `sftp-storage/${storageId}`;
}

/** The resource for which writers of a KV store take turns. */
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

/**
 * Temporal's priority keys. Calls of a more urgent run go out first when several runs wait for the
 * request budget of one account.
 */
export const Urgency = {
  incident: 1,
  normal: 3,
  bulk: 5,
} as const;
export type Urgency = keyof typeof Urgency;

/** Whether calls with this priority key go out before the calls of normal runs. */
export function isUrgent(priorityKey: number = Urgency.normal): boolean {
  return priorityKey < Urgency.normal;
}

/** Answer to a query while another worker takes over the run; see `engine/run/refuse-stale-time.ts`. */
export const ASK_AGAIN = 'The run is just being taken over by another worker: ask again';

/** Search attributes. A namespace without them works too. */
export const SearchAttribute = {
  phase: 'GcorePhase',
  account: 'GcoreAccount',
  resourceId: 'GcoreResourceId',
} as const;
