import { ANOTHER_RUN } from '../client/ask-run.js';
import { isOperation } from '../client/operations.js';
import { RunEndedError, RunNotFoundError, type RunSummary } from '../client/index.js';
import { Operation, type Operations } from '../contract/index.js';
import { operationOfId } from '../contract/wire/names.js';
import { DEFAULT_ACCOUNT } from '../engine/core/names.js';
import { Scope, type Caller } from '../tokens/token-file.js';
import type { GatewayContext, GatewayParts } from './gateway-context.js';
import { ProblemError } from './problem.js';
import { namedRunOf, runIdOf } from './read-request.js';
import type { RunView } from './status-board.js';
import { within } from './within.js';

type Finding = Pick<GatewayParts, 'board' | 'gcore'>;

/**
 * The run that the path names, as this caller may see it. A run of another operation or account does not
 * exist for a token that is limited to some.
 * @throws RunNotFoundError; RunEndedError when another run has begun since the one that the query names
 */
export async function findRun(parts: Finding, c: GatewayContext): Promise<RunView> {
  return refuseAnother(parts, c, await findNewest(parts, c));
}

/** The same by a look of its own: what changes a run, or tells its end, must not be about the run before it. */
export async function findRunNow(parts: Finding, c: GatewayContext): Promise<RunView> {
  return refuseAnother(parts, c, await findNewestNow(parts, c));
}

/** The newest run of the path, whichever the query names. @throws RunNotFoundError */
export async function findNewest(parts: Finding, c: GatewayContext): Promise<RunView> {
  const workflowId = runIdOf(c.req.url);
  await refuseUnseen(parts, c.get('caller'), workflowId);
  const view = await parts.board.read(workflowId);
  if (!mayUse(c.get('caller'), view)) throw new RunNotFoundError(workflowId);
  return view;
}

export function findNewestNow(parts: Finding, c: GatewayContext): Promise<RunView> {
  parts.board.forget(runIdOf(c.req.url));
  return findNewest(parts, c);
}

const ANSWER_WITHIN_MS = 5_000;

/**
 * A view waits for a worker, and one that somebody else reads is there at once: the time would tell a token which runs
 * exist that it may not see. So a token that is limited has a look of its own first, which takes as long for a run as for none.
 * @throws RunNotFoundError
 */
async function refuseUnseen(
  { gcore }: Pick<Finding, 'gcore'>,
  caller: Caller,
  workflowId: string,
): Promise<void> {
  if (!isLimited(caller)) return;
  const run = await within(gcore, ANSWER_WITHIN_MS, () => gcore.summary(workflowId));
  if (!isOperation(run.operation) || !mayUse(caller, run)) throw new RunNotFoundError(workflowId);
}

async function refuseAnother(parts: Finding, c: GatewayContext, view: RunView): Promise<RunView> {
  if (await isAnother(parts, c, view)) throw new RunEndedError(view.workflowId, ANOTHER_RUN);
  return view;
}

/** Whether this is not the run that the query names: another one has begun since. */
export async function isAnother(
  { gcore }: Pick<Finding, 'gcore'>,
  c: GatewayContext,
  { workflowId, runId: newest }: RunView,
): Promise<boolean> {
  const runId = namedRunOf(c.req.url);
  if (runId === undefined || runId === newest) return false;
  try {
    // It may be an earlier history of the same run.
    await within(gcore, ANSWER_WITHIN_MS, () => gcore.summary({ workflowId, runId }));
    return false;
  } catch (error) {
    if (error instanceof RunEndedError) return true;
    throw error;
  }
}

/**
 * The run that the query names, which another one has followed: it may be of another operation or account.
 * @throws RunNotFoundError
 */
export async function findPast(
  { gcore }: Pick<Finding, 'gcore'>,
  c: GatewayContext,
  runId: string,
) {
  const workflowId = runIdOf(c.req.url);
  const { operation, ...past } = await within(gcore, ANSWER_WITHIN_MS, () =>
    gcore.summary({ workflowId, runId }, { evenOver: true }),
  );
  const isSeen = isOperation(operation) && mayUse(c.get('caller'), { operation, ...past });
  if (!isSeen) throw new RunNotFoundError(workflowId);
  return { workflowId, runId, operation };
}

/**
 * Whether the caller may still read this run. Asked before each document that is written later than the first one: the
 * token may have been withdrawn meanwhile, or narrowed.
 */
export async function maySeeStill(c: GatewayContext, view: RunView): Promise<boolean> {
  const caller = await c.get('callerNow')();
  return caller !== undefined && caller.scopes.includes(Scope.read) && mayUse(caller, view);
}

/** Whether there may be runs that do not exist for this caller. */
export function isLimited({ operations, accounts }: Caller): boolean {
  return operations !== undefined || accounts !== undefined;
}

type Seen = Pick<RunSummary, 'operation' | 'account' | 'isAccountGuessed' | 'batchOf' | 'partOf'>;

/**
 * Whether a token may know of a run. It needs the account, the operation of the run, and all that the run acts by or for:
 * the operation of the items of a batch, and for the part of a run (`replace-instance/…/move`) that of the whole.
 */
export function mayUse({ operations, accounts }: Caller, run: Seen): boolean {
  // Where nobody knows them, they may be anything.
  if (accounts !== undefined && run.isAccountGuessed === true) return false;
  if (accounts?.includes(run.account) === false) return false;
  if (operations === undefined) return true;
  const all = [
    run.operation,
    ...(run.partOf === undefined ? [] : [operationOfId(run.partOf)]),
    ...(run.operation === Operation.runBatch ? [run.batchOf] : []),
  ];
  return all.every((one) => operations.some((operation) => operation === one));
}

/**
 * A request may have a run already that the caller may not use, such as a batch of another operation: it joins none of these.
 * @throws ProblemError (403)
 */
export async function refuseHidden(
  { board }: Pick<Finding, 'board'>,
  c: GatewayContext,
  workflowId: string,
): Promise<void> {
  const caller = c.get('caller');
  if (caller.operations === undefined) return;
  board.forget(workflowId);
  const view = await board.read(workflowId).catch(orNone);
  if (view !== undefined && !mayUse(caller, view))
    throw notAllowed('the run of this request', 'operations');
}

function orNone(error: unknown): undefined {
  if (!(error instanceof RunNotFoundError)) throw error;
}

type Asked = Pick<RunView, 'operation' | 'account'>;

/** @throws ProblemError (403) */
export function refuseOther(
  caller: Caller,
  { operation, account }: { [K in keyof Asked]?: Asked[K] | undefined },
): void {
  const { operations, accounts } = caller;
  if (operation !== undefined && operations?.includes(operation) === false) {
    throw notAllowed(operation, 'operations');
  }
  if (account !== undefined && accounts?.includes(account) === false) {
    throw notAllowed(`the account ${account}`, 'accounts');
  }
}

/**
 * What an input asks for: an account, and of a batch another operation for each item.
 * @throws ProblemError (403)
 */
export function refuseOtherInput(
  caller: Caller,
  input: Operations[keyof Operations]['input'],
): void {
  const operation = 'operation' in input ? input.operation : undefined;
  refuseOther(caller, { operation, account: input.account ?? DEFAULT_ACCOUNT });
}

function notAllowed(what: string, field: string): ProblemError {
  return new ProblemError({
    status: 403,
    code: 'Forbidden',
    title: 'The token does not allow this',
    detail: `The token does not allow ${what}. Nothing was started.`,
    advice: `Use a token whose "${field}" name it, or leave them out.`,
  });
}
