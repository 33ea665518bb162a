import {
  isGrpcCancelledError,
  isGrpcDeadlineError,
  WorkflowContinuedAsNewError,
  WorkflowFailedError,
  type WorkflowExecutionDescription,
} from '@temporalio/client';

import type { ClearSecrets } from '../contract/clear-secrets.js';
import {
  type Operations,
  joinRequestOf,
  OPERATIONS,
  reuseOf,
  type NamedByInput,
} from '../contract/operations/index.js';
import { DEFAULT_ACCOUNT, Urgency } from '../engine/core/names.js';
import { workflowIdFor } from '../contract/wire/names.js';
import { AskedFor } from '../engine/core/identity.js';
import type { JoinRequest } from '../engine/core/messages.js';
import { unseenSince, describeRun, firstRunIdOf, toRunError } from './ask-run.js';
import {
  InvalidInputError,
  RequestConflictError,
  RunEndedError,
  RunEndingError,
  UpdateRefusedError,
} from './errors.js';
import { findDifferences, type ReadLarge } from './intent.js';
import { requestIdFrom } from './operations.js';
import { sendUpdate, type RunUpdatesDeps } from './run-updates.js';
import { refuseUnfit, runnableInput, type ClearSecretsNow } from './runnable-input.js';
import { withDeadline } from './server-calls.js';
import { startOnce, type RunStart } from './start-once.js';

export type StartRequest<O extends keyof Operations> = StartOptions<O> &
  (O extends NamedByInput ? unknown : { requestId: string });

export interface StartOptions<O extends keyof Operations> {
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
  /** Longest wait for the end of a run that cannot be joined any more, instead of that of the client. */
  endWithinMs?: number | undefined;
  /**
   * For a program that starts many at once: reads the history of the run that the request has, when its turn comes. That is
   * needed where the inputs may differ, and may be megabytes.
   */
  readLarge?: ReadLarge | undefined;
}

/** The answer of a start is a `RunName`: later runs may have the Workflow Id too. */
export interface StartedRun {
  workflowId: string;
  /** Of its first history. */
  runId: string;
  /**
   * `started`: this call has started the run. `joined`: the request already had an open run.
   * `succeeded-before`: the request has succeeded before; nothing was started, and `result` answers
   * immediately.
   */
  outcome: 'started' | 'joined' | 'succeeded-before';
  /** When the earlier run succeeded. */
  succeededAt?: Date;
}

/** How a run is started and joined on behalf of somebody to whom the server itself reports its end. */
export interface StartWay {
  /** The Run Id; `undefined` when the request has an open run, or one that must not be followed by another. */
  start: (start: RunStart<keyof Operations>) => Promise<string | undefined>;
  /** The Run Id of the open run, which may be new; `undefined` when none is open and none may follow. */
  attach: (start: RunStart<keyof Operations>) => Promise<string | undefined>;
}

export interface StartDeps extends JoinDeps {
  taskQueue: string;
  clearSecrets: ClearSecretsNow;
  /** By default the caller asks for the result itself. */
  way?: StartWay;
  /** The run on whose behalf it is started; see `StartedBy`. */
  startedFor?: string;
  /** Called right before each try. What it throws ends the request. */
  beforeStart?: () => Promise<void>;
}

const NO_REQUEST_ID = { path: 'requestId', message: 'is missing: give the request an id' };

/** Starts a run, or joins the run that this request already has. */
export async function startRun<O extends keyof Operations>(
  given: StartDeps,
  operation: O,
  request: StartOptions<O>,
): Promise<StartedRun> {
  const { input, onConflict, readLarge, endWithinMs = given.endWithinMs } = request;
  const deps = { ...given, endWithinMs };
  const clearSecrets = await deps.clearSecrets(operation, input);
  const { start, parsed } = checkedStart({ ...deps, clearSecrets }, operation, request);
  const { workflowId } = start;
  const first: typeof start = { ...start, reuse: 'REJECT_DUPLICATE' };
  let next = first;
  for (;;) {
    await deps.beforeStart?.();
    const runId = await (deps.way?.start(next) ?? startOnce(deps.client, next));
    if (runId !== undefined) return { workflowId, runId, outcome: 'started' };
    const seenAt = performance.now();
    const run = await describeRun(deps.client, workflowId);
    // It has ended, and the request may start again.
    if (mayStartAgain(run, start)) {
      next = { ...start, cutShortAt: unseenSince(run), ranBefore: run.runId, seenAt };
      continue;
    }
    // What was to follow another run is not what follows this one.
    next = first;
    if (onConflict !== 'join') await refuseOtherInput(deps, run, { operation, input, readLarge });
    if (!(await askToJoin(deps, run, { operation, input: parsed }))) continue;
    const joined = await attach(deps, run, { start: next, parsed, onConflict });
    if (joined !== undefined) return toJoined(joined);
  }
}

/** @throws InvalidInputError with every fault. */
function checkedStart<O extends keyof Operations>(
  {
    taskQueue,
    clearSecrets,
    by,
    startedFor,
  }: Pick<StartDeps, 'taskQueue' | 'by' | 'startedFor'> & { clearSecrets: ClearSecrets },
  operation: O,
  request: StartOptions<O>,
): { start: RunStart<O>; parsed: Operations[O]['input'] } {
  const { input } = request;
  refuseUnfit({ operation, ...request });
  const parsed = runnableInput(operation, input, clearSecrets);
  if (!parsed.ok) throw new InvalidInputError(parsed.faults);
  const requestId = request.requestId ?? requestIdFrom(operation, parsed.value);
  // An empty id is what a caller without one sends: all of them would share one run.
  if (!requestId) throw new InvalidInputError([NO_REQUEST_ID]);
  const account = parsed.value.account ?? DEFAULT_ACCOUNT;
  const workflowId = request.workflowId ?? workflowIdFor(operation, account, requestId);
  const { urgency } = OPERATIONS[operation];
  const reuse = reuseOf(operation, parsed.value);
  const priorityKey = Urgency[request.urgency ?? urgency];
  const startedBy = {
    by,
    as: AskedFor.start,
    ...(startedFor !== undefined && { for: startedFor }),
  };
  const work = { operation, input, requestId, priorityKey, startedBy };
  const start = { ...work, workflowId, reuse, taskQueue };
  return { start, parsed: parsed.value };
}

interface Wish<O extends keyof Operations> extends Pick<StartOptions<O>, 'input' | 'readLarge'> {
  operation: O;
}

async function refuseOtherInput<O extends keyof Operations>(
  { client }: StartDeps,
  run: WorkflowExecutionDescription,
  wish: Wish<O>,
): Promise<void> {
  const paths = await findDifferences(client, run, wish);
  if (paths !== undefined) throw new RequestConflictError(run.workflowId, stateOf(run), paths);
}

/** The run that it is attached to; `undefined` when the run has ended instead. */
async function attach<O extends keyof Operations>(
  deps: StartDeps,
  run: WorkflowExecutionDescription,
  { start, parsed, onConflict }: Attaching<O>,
): Promise<WorkflowExecutionDescription | undefined> {
  if (deps.way === undefined || run.closeTime !== undefined) return run;
  const runId = await deps.way.attach(start);
  if (runId === undefined) return undefined;
  if (runId === run.runId) return run;
  // The run has ended in between, and somebody has started the request again.
  const other = await describeRun(deps.client, run.workflowId);
  if (onConflict !== 'join') await refuseOtherInput(deps, other, start);
  const { operation } = start;
  return (await askToJoin(deps, other, { operation, input: parsed })) ? other : undefined;
}

interface Attaching<O extends keyof Operations> {
  start: RunStart<O>;
  parsed: Operations[O]['input'];
  onConflict: 'refuse' | 'join' | undefined;
}

/** False when the run could not be joined any more and has ended. */
async function askToJoin<O extends keyof Operations>(
  deps: StartDeps,
  run: WorkflowExecutionDescription,
  { operation, input }: { operation: O; input: Operations[O]['input'] },
): Promise<boolean> {
  const request = joinRequestOf(operation, input);
  const isOther = run.type !== operation || run.closeTime !== undefined;
  return isOther || request === undefined || joinRun(deps, run, request);
}

function mayStartAgain(
  { closeTime, status }: WorkflowExecutionDescription,
  { reuse }: Pick<RunStart<keyof Operations>, 'reuse'>,
): boolean {
  if (closeTime === undefined) return false;
  return reuse === 'ALLOW_DUPLICATE' || status.name !== 'COMPLETED';
}

function stateOf({ closeTime }: WorkflowExecutionDescription): 'open' | 'succeeded' {
  return closeTime === undefined ? 'open' : 'succeeded';
}

function toJoined(run: WorkflowExecutionDescription): StartedRun {
  const { workflowId, closeTime } = run;
  const named = { workflowId, runId: firstRunIdOf(run) };
  if (closeTime === undefined) return { ...named, outcome: 'joined' };
  return { ...named, outcome: 'succeeded-before', succeededAt: closeTime };
}

interface JoinDeps extends RunUpdatesDeps {
  /** Longest wait for the end of a run that refuses. */
  endWithinMs: number;
}

/**
 * Asks an open run whether another caller may rely on it. False when it has ended instead: a run that
 * restores what was before refuses, and this waits for its end.
 */
async function joinRun(
  deps: JoinDeps,
  run: WorkflowExecutionDescription,
  request: JoinRequest,
): Promise<boolean> {
  const { workflowId } = run;
  try {
    // The input of this run fits. Another one that has begun since may have another input.
    await sendUpdate(deps, { workflowId, runId: firstRunIdOf(run), update: 'join', request });
    return true;
  } catch (error) {
    if (error instanceof RunEndedError) return false;
    if (!(error instanceof UpdateRefusedError)) throw error;
    await untilEnded(deps, run);
    return false;
  }
}

async function untilEnded(
  { client, endWithinMs }: JoinDeps,
  { workflowId, runId }: WorkflowExecutionDescription,
): Promise<void> {
  const handle = client.workflow.getHandle(workflowId, runId, { followRuns: false });
  const givesUpAt = performance.now() + endWithinMs;
  try {
    await withDeadline(client, endWithinMs, () => handle.result());
  } catch (error) {
    const isLate = performance.now() >= givesUpAt - TIMERS_AGREE_MS;
    if (isGrpcDeadlineError(error) || (isLate && isGrpcCancelledError(error))) {
      throw new RunEndingError(workflowId, endWithinMs);
    }
    const hasEnded =
      error instanceof WorkflowFailedError || error instanceof WorkflowContinuedAsNewError;
    // However it ended, the next run may start.
    if (!hasEnded) throw toRunError(workflowId, error);
  }
}

/** A connection may end a call at its own time limit as CANCELLED: that of a worker always, another one now and then. */
const TIMERS_AGREE_MS = 100;
