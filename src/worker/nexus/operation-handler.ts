import {
  startWorkflow,
  getClient,
  WorkflowRunOperationHandler,
  type WorkflowHandle,
} from '@temporalio/nexus';
import {
  HandlerStartOperationResult,
  type CancelOperationContext,
  type StartOperationContext,
  type OperationHandler,
} from 'nexus-rpc';
import { z } from 'zod';

import { cancelRun } from '../../client/ask-run.js';
import { InvalidInputError, RunEndedError, createGcoreWorkflows } from '../../client/index.js';
import { OPERATIONS, type Operations } from '../../contract/operations/index.js';
import { runnableInput, clearSecretsOf } from '../../client/runnable-input.js';
import { sendStart, type RunStart } from '../../client/start-once.js';
import { startRun, type StartedRun, type StartWay } from '../../client/start-run.js';
import type { ClearSecrets } from '../../contract/clear-secrets.js';
import type { NexusRequest } from '../../contract/nexus.js';
import type { Operation } from '../../contract/wire/names.js';
import { idFaults } from '../../engine/core/faults.js';
import type { Urgency } from '../../engine/core/names.js';
import { parseInput } from '../../engine/schema/parse-input.js';
import { toHandlerError } from './to-handler-error.js';

interface NexusWay extends StartWay {
  /** The run that reports its end to the caller; missing while none does. */
  handle: () => WorkflowHandle<never> | undefined;
}

/** Starts and joins runs such that the server completes the caller's operation with the end of the run. */
function createNexusWay(context: StartOperationContext): NexusWay {
  let handle: WorkflowHandle<never> | undefined;
  const send = async (
    start: RunStart<Operation>,
    workflowIdConflictPolicy: 'FAIL' | 'USE_EXISTING',
  ): Promise<WorkflowHandle<never> | undefined> => {
    const begun = await sendStart(start, (options) =>
      startWorkflow<(input: unknown) => Promise<never>>(context, start.operation, {
        ...options,
        workflowIdConflictPolicy,
      }),
    );
    handle = begun ?? handle;
    return begun;
  };
  return {
    start: async (start) => (await send(start, 'FAIL'))?.runId,
    attach: async (start) => (await send(start, 'USE_EXISTING'))?.runId,
    handle: () => handle,
  };
}

const requestSchema = z.strictObject({
  requestId: z.string().min(1, 'must not be empty').exactOptional(),
  input: z.unknown(),
  urgency: z.enum(['incident', 'normal', 'bulk'] satisfies Urgency[]).exactOptional(),
  onConflict: z.enum(['refuse', 'join']).exactOptional(),
});

/**
 * What a caller has sent, which may be a program without these types.
 * @throws InvalidInputError with every fault.
 */
export function parseRequest<O extends Operation>(operation: O, sent: unknown): NexusRequest<O> {
  const request = parseInput(requestSchema, sent);
  const { input: given, requestId } = fieldsOf(sent);
  // Secrets in clear are refused together with the start.
  const input = runnableInput(operation, given, 'allow');
  const ids = typeof requestId === 'string' ? idFaults('requestId', requestId) : [];
  if (request.ok && input.ok && ids.length === 0) return { ...request.value, input: input.value };
  throw new InvalidInputError([
    ...(request.ok ? [] : request.faults),
    ...ids,
    // That it is missing is said already.
    ...(input.ok || given === undefined ? [] : input.faults),
  ]);
}

function fieldsOf(sent: unknown): { input?: unknown; requestId?: unknown } {
  return sent instanceof Object ? sent : {};
}

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
        const { run, handle } = await startForCaller(context, {
          operation,
          sent,
          starts,
        });
        if (handle !== undefined) return namingRun(await backedByRun.start(context, handle), run);
        const { taskQueue } = starts;
        const gcore = createGcoreWorkflows({ client: getClient(), taskQueue });
        return HandlerStartOperationResult.sync(await gcore.result(operation, run));
      }),
    cancel: (context, token) => orHandlerError(() => cancelOf(context, token)),
  };
}

/** The SDK's token of a run names its Workflow Id alone, which a later run of the request has too. */
function namingRun<T>(
  started: HandlerStartOperationResult<T>,
  { runId }: Pick<StartedRun, 'runId'>,
): HandlerStartOperationResult<T> {
  if (!started.isAsync) return started;
  const token = { ...z.looseObject({}).parse(fieldsIn(started.token)), [RUN_ID]: runId };
  return HandlerStartOperationResult.async(
    Buffer.from(JSON.stringify(token)).toString('base64url'),
  );
}

/** As the SDK names it in the tokens of activities. */
const RUN_ID = 'rid';

const tokenSchema = z.looseObject({ wid: z.string(), [RUN_ID]: z.string() });

function fieldsIn(token: string): unknown {
  try {
    return JSON.parse(Buffer.from(token, 'base64url').toString());
  } catch {
    return undefined;
  }
}

/** Asks the run that was started or joined. One that has ended needs nothing, and one that has followed it is not meant. */
async function cancelOf(context: CancelOperationContext, token: string): Promise<void> {
  const named = tokenSchema.safeParse(fieldsIn(token));
  // A call that an earlier version has begun.
  if (!named.success) return backedByRun.cancel(context, token);
  const { wid: workflowId, rid: runId } = named.data;
  try {
    await cancelRun({ client: getClient(), by: BY_NEXUS }, { workflowId, runId });
  } catch (error) {
    if (!(error instanceof RunEndedError)) throw error;
  }
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
): Promise<{ run: StartedRun; handle: WorkflowHandle<never> | undefined }> {
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
  const run = await startRun(deps, operation, {
    // The same for every repetition of one call by the server.
    ...(isNamedByCaller && { requestId: context.requestId }),
    ...request,
  });
  return { run, handle: run.outcome === 'succeeded-before' ? undefined : way.handle() };
}

/** The namespace of the caller, which the server names in a link to the caller's run. */
export function callerOf({ inboundLinks }: Pick<StartOperationContext, 'inboundLinks'>): string {
  const [namespace] = inboundLinks.flatMap(
    ({ url }) => /^\/namespaces\/([^/]+)\//.exec(url.pathname)?.[1] ?? [],
  );
  return namespace === undefined ? BY_NEXUS : `${BY_NEXUS}:${namespace}`;
}

/** Nothing names the caller of a cancel. */
const BY_NEXUS = 'nexus';

async function orHandlerError<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw toHandlerError(error);
  }
}
