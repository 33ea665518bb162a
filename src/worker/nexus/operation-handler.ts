import { getClient, WorkflowRunOperationHandler, type WorkflowHandle } from '@temporalio/nexus';
import {
  HandlerStartOperationResult,
  type OperationHandler,
  type StartOperationContext,
} from 'nexus-rpc';

import { createGcoreWorkflows } from '../../client/index.js';
import { clearSecretsOf } from '../../client/runnable-input.js';
import { OPERATIONS } from '../../client/operations.js';
import { startRun } from '../../client/start-run.js';
import type { ClearSecrets } from '../../contract/clear-secrets.js';
import type { Operation } from '../../contract/wire/names.js';
import type { NexusRequest } from '../../contract/nexus.js';
import type { Operations } from '../../contract/operations/index.js';
import { createNexusWay } from './nexus-way.js';
import { parseRequest } from './parse-request.js';
import { toHandlerError } from './to-handler-error.js';

/**
 * A handler must answer within 10 seconds. Whoever waits longer, for a worker or for the end of a run
 * that restores, is called again by the server.
 */
const WAITS = { answerWithinMs: 3_000, endWithinMs: 3_000 } as const;

/** The SDK's handler for operations that a run backs. Here the run has been started before. */
const backedByRun = new WorkflowRunOperationHandler<WorkflowHandle<never>, never>(
  (_context, handle) => Promise.resolve(handle),
);

type Handler<O extends Operation> = OperationHandler<NexusRequest<O>, Operations[O]['result']>;

/** Where runs start, and what their inputs may hold. */
export interface NexusStarts {
  taskQueue: string;
  clearSecrets?: ClearSecrets | undefined;
}

/**
 * Starts a run of the operation on this task queue, joins the one that the request has, or answers with
 * the result of an earlier success. Cancelling asks the run to undo its work and to end as cancelled.
 */
export function createOperationHandler<O extends Operation>(
  operation: O,
  starts: NexusStarts,
): Handler<O> {
  return {
    start: (context, sent) =>
      orHandlerError(async () => {
        const { workflowId, handle } = await startForCaller(context, {
          operation,
          sent,
          starts,
        });
        if (handle !== undefined) return backedByRun.start(context, handle);
        const { taskQueue } = starts;
        const gcore = createGcoreWorkflows({ client: getClient(), taskQueue });
        return HandlerStartOperationResult.sync(await gcore.result(operation, workflowId));
      }),
    cancel: (context, token) => orHandlerError(() => backedByRun.cancel(context, token)),
  };
}

interface Call<O extends Operation> {
  operation: O;
  sent: unknown;
  starts: NexusStarts;
}

/** Without a handle the request has succeeded before, and no run will report its end. */
async function startForCaller<O extends Operation>(
  context: StartOperationContext,
  { operation, sent, starts }: Call<O>,
): Promise<{ workflowId: string; handle: WorkflowHandle<never> | undefined }> {
  const request = parseRequest(operation, sent);
  const way = createNexusWay(context);
  const client = getClient();
  const clearSecrets = clearSecretsOf(client, starts.clearSecrets);
  const deps = {
    client,
    taskQueue: starts.taskQueue,
    clearSecrets,
    way,
    by: callerOf(context),
    ...WAITS,
  };
  const isNamedByCaller = OPERATIONS[operation].requestId === 'from caller';
  const { workflowId, outcome } = await startRun(deps, operation, {
    // The same for every repetition of one call by the server.
    ...(isNamedByCaller && { requestId: context.requestId }),
    ...request,
  });
  return { workflowId, handle: outcome === 'succeeded-before' ? undefined : way.handle() };
}

/** The namespace of the caller, which the server names in a link to the caller's run. */
export function callerOf({ inboundLinks }: Pick<StartOperationContext, 'inboundLinks'>): string {
  const [namespace] = inboundLinks.flatMap(
    ({ url }) => /^\/namespaces\/([^/]+)\//.exec(url.pathname)?.[1] ?? [],
  );
  return namespace === undefined ? 'nexus' : `nexus:${namespace}`;
}

async function orHandlerError<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw toHandlerError(error);
  }
}
