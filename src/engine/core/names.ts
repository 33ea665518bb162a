/**
 * Names on the wire that hold for every API: accounts, plans, locks, deliveries, urgency.
 */

/** The account that a run uses when its input names none. An account is one API key with one rate budget. */
export const DEFAULT_ACCOUNT = 'default';

/** Names of accounts, in inputs and in the configuration of a worker. */
export const ACCOUNT_NAME = /^[a-z0-9][a-z0-9-]{0,62}$/;

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

/** Workflow Type of the sign that a process that watches still lives. It is not an operation. */
export const LEASE_WATCHES = 'leaseWatches';

/** Workflow Id of `leaseWatches`. @param identity under which a process watches */
export function watchLeaseIdFor(identity: string): string {
  return `watches/${identity}`;
}

/** Id of the first activity of `leaseWatches`: the process that watches sends heartbeats by it. */
export const WATCH_LEASE_ACTIVITY = 'lease';

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

/** The command that ends a pause of the Temporal server itself: the run knows nothing of that. */
export const UNPAUSE = 'temporal workflow unpause';

/** Answer to a query while another worker takes over the run; see `engine/run/refuse-stale-time.ts`. */
export const ASK_AGAIN =
  'The run is just being taken over by another worker: ask again, or with the argument {"ended":true} if it has ended';

/** The argument of a query to a run that has ended: no workflow task will ever show it the rest of its history. */
export interface EndedQuery {
  ended: true;
}
