import {
  WorkflowExecutionAlreadyStartedError,
  type Client,
  type WorkflowExecutionDescription,
} from '@temporalio/client';

import { DEFAULT_ACCOUNT, Urgency, workflowIdFor } from '../contract/names.js';
import { operationSchemas, type Operations } from '../contract/operations/index.js';
import { parseInput } from '../contract/parse-input.js';
import { InvalidInputError, RequestConflictError } from './errors.js';
import { findDifferences } from './intent/find-differences.js';
import { digestIntent, INTENT_MEMO } from './intent/intent-digest.js';
import { intentOf } from './intent/intent-of.js';
import { OPERATIONS, requestIdFrom, type NamedByInput } from './operations/index.js';
import { refuseUnfit } from './refuse-unfit.js';
import { toRunError } from './to-run-error.js';

export type StartRequest<O extends keyof Operations> = StartOptions<O> &
  (O extends NamedByInput ? unknown : { requestId: string });

interface StartOptions<O extends keyof Operations> {
  /**
   * The caller's name for this request. One id never creates two of anything. `protectIp` needs none:
   * its id is the address.
   */
  requestId?: string;
  input: Operations[O]['input'];
  /** Instead of the id built from the operation, the account and `requestId`. */
  workflowId?: string;
  /**
   * Which calls go out first when several runs wait for the request budget of one account. The
   * default depends on the operation. A repeat that joins an open run does not change it.
   */
  urgency?: Urgency;
  /**
   * What happens when the request has an open or successful run with another input: `refuse` (default)
   * throws `RequestConflictError`; `join` takes that run and ignores the input.
   */
  onConflict?: 'refuse' | 'join';
}

export interface StartedRun {
  workflowId: string;
  /**
   * `started`: this call has started the run. `joined`: the request already had an open run.
   * `succeeded-before`: the request has succeeded before; nothing was started, and `result` answers
   * immediately.
   */
  outcome: 'started' | 'joined' | 'succeeded-before';
  /** When the earlier run succeeded. */
  succeededAt?: Date;
}

interface StartDeps {
  client: Client;
  taskQueue: string;
}

/** A plan under the id of the request would count as the request being done. */
const PLAN_IS_NO_RUN = {
  path: 'planOnly',
  message: 'makes a plan instead of a run: leave it out, or use `plan`',
};
const NO_REQUEST_ID = { path: 'requestId', message: 'is missing: give the request an id' };

/** Starts a run, or joins the run that this request already has. */
export async function startRun<O extends keyof Operations>(
  deps: StartDeps,
  operation: O,
  request: StartRequest<O>,
): Promise<StartedRun> {
  const { input, onConflict } = request;
  refuseUnfit(request);
  const parsed = parseInput(operationSchemas[operation].input, input);
  if (!parsed.ok) throw new InvalidInputError(parsed.faults);
  if (parsed.value.planOnly === true) throw new InvalidInputError([PLAN_IS_NO_RUN]);
  const requestId = request.requestId ?? requestIdFrom(operation, parsed.value);
  if (requestId === undefined) throw new InvalidInputError([NO_REQUEST_ID]);
  const account = parsed.value.account ?? DEFAULT_ACCOUNT;
  const workflowId = request.workflowId ?? workflowIdFor(operation, account, requestId);
  for (;;) {
    if (await tryStart(deps, { operation, request, requestId, workflowId })) {
      return { workflowId, outcome: 'started' };
    }
    const run = await describeRun(deps, workflowId);
    // The run has ended since, and the request may start again.
    if (mayStartAgain(run, operation)) continue;
    if (onConflict !== 'join') {
      const paths = await findDifferences(deps.client, run, { operation, input });
      if (paths !== undefined) throw new RequestConflictError(workflowId, stateOf(run), paths);
    }
    return toJoined(run);
  }
}

interface Attempt<O extends keyof Operations> {
  operation: O;
  request: StartRequest<O>;
  requestId: string;
  workflowId: string;
}

/** False when the request already has a run that is open or has succeeded. */
async function tryStart<O extends keyof Operations>(
  { client, taskQueue }: StartDeps,
  { operation, request, requestId, workflowId }: Attempt<O>,
): Promise<boolean> {
  const { input, urgency = OPERATIONS[operation].urgency } = request;
  try {
    await client.workflow.start(operation, {
      workflowId,
      taskQueue,
      args: [input],
      // Joining is up to `startRun`. Temporal would not say whether it started a run or joined one.
      workflowIdConflictPolicy: 'FAIL',
      // Whether a closed run may start again depends on the operation.
      workflowIdReusePolicy: OPERATIONS[operation].reuse,
      staticSummary: `${operation} ${requestId}`,
      priority: { priorityKey: Urgency[urgency] },
      memo: { [INTENT_MEMO]: digestIntent(intentOf(operation, input)) },
    });
    return true;
  } catch (error) {
    if (error instanceof WorkflowExecutionAlreadyStartedError) return false;
    throw error;
  }
}

async function describeRun(
  { client }: StartDeps,
  workflowId: string,
): Promise<WorkflowExecutionDescription> {
  try {
    return await client.workflow.getHandle(workflowId).describe();
  } catch (error) {
    throw toRunError(workflowId, error);
  }
}

function mayStartAgain(
  { closeTime, status }: WorkflowExecutionDescription,
  operation: keyof Operations,
): boolean {
  if (closeTime === undefined) return false;
  return OPERATIONS[operation].reuse === 'ALLOW_DUPLICATE' || status.name !== 'COMPLETED';
}

function stateOf({ closeTime }: WorkflowExecutionDescription): 'open' | 'succeeded' {
  return closeTime === undefined ? 'open' : 'succeeded';
}

function toJoined({ workflowId, closeTime }: WorkflowExecutionDescription): StartedRun {
  if (closeTime === undefined) return { workflowId, outcome: 'joined' };
  return { workflowId, outcome: 'succeeded-before', succeededAt: closeTime };
}
