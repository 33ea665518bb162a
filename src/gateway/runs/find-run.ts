import { RunNotFoundError } from '../../client/index.js';
import type { Operation } from '../../contract/index.js';
import type { GatewayContext, GatewayParts } from '../gateway-context.js';
import { ProblemError } from '../problems/problem.js';
import { runIdOf } from '../requests/run-id.js';
import { Scope, type Caller } from '../tokens/token-file.js';
import type { RunView } from './status-board.js';

/**
 * The run that the path names, as this caller may see it. A run of another operation does not exist
 * for a token that is limited to some. @throws RunNotFoundError
 */
export async function findRun(
  { board }: Pick<GatewayParts, 'board'>,
  c: GatewayContext,
): Promise<RunView> {
  const workflowId = runIdOf(c.req.url);
  const view = await board.read(workflowId);
  if (!mayUse(c.get('caller'), view.operation)) throw new RunNotFoundError(workflowId);
  return view;
}

/**
 * Whether the caller may still read this run. Asked before each document that is written later than the first one: the
 * token may have been withdrawn meanwhile, or narrowed.
 */
export async function maySeeStill(c: GatewayContext, { operation }: RunView): Promise<boolean> {
  const caller = await c.get('callerNow')();
  return caller !== undefined && caller.scopes.includes(Scope.read) && mayUse(caller, operation);
}

function mayUse({ operations }: Caller, operation: Operation): boolean {
  return operations === undefined || operations.includes(operation);
}

/** @throws ProblemError (403) */
export function refuseOtherOperation(caller: Caller, operation: Operation): void {
  if (mayUse(caller, operation)) return;
  throw new ProblemError({
    status: 403,
    code: 'Forbidden',
    title: 'The token does not allow this operation',
    detail: `The token does not allow ${operation}. Nothing was started.`,
    advice: 'Use a token whose "operations" name it, or leave them out.',
  });
}
