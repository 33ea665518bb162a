import { RunNotFoundError } from '../client/index.js';
import type { Operations } from '../contract/index.js';
import { DEFAULT_ACCOUNT } from '../engine/core/names.js';
import { Scope, type Caller } from '../tokens/token-file.js';
import type { GatewayContext, GatewayParts } from './gateway-context.js';
import { ProblemError } from './problem.js';
import { runIdOf } from './read-request.js';
import type { RunView } from './status-board.js';

/**
 * The run that the path names, as this caller may see it. A run of another operation or account does not
 * exist for a token that is limited to some. @throws RunNotFoundError
 */
export async function findRun(
  { board }: Pick<GatewayParts, 'board'>,
  c: GatewayContext,
): Promise<RunView> {
  const workflowId = runIdOf(c.req.url);
  const view = await board.read(workflowId);
  if (!mayUse(c.get('caller'), view)) throw new RunNotFoundError(workflowId);
  return view;
}

/** The same by a look of its own: what changes a run, or tells its end, must not be about the run before it. */
export function findRunNow(
  { board }: Pick<GatewayParts, 'board'>,
  c: GatewayContext,
): Promise<RunView> {
  board.forget(runIdOf(c.req.url));
  return findRun({ board }, c);
}

/**
 * Whether the caller may still read this run. Asked before each document that is written later than the first one: the
 * token may have been withdrawn meanwhile, or narrowed.
 */
export async function maySeeStill(c: GatewayContext, view: RunView): Promise<boolean> {
  const caller = await c.get('callerNow')();
  return caller !== undefined && caller.scopes.includes(Scope.read) && mayUse(caller, view);
}

type Asked = Pick<RunView, 'operation' | 'account'>;

function mayUse({ operations, accounts }: Caller, { operation, account }: Asked): boolean {
  const isItsOperation = operations?.includes(operation) ?? true;
  return isItsOperation && (accounts?.includes(account) ?? true);
}

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
