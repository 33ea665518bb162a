import {
  WorkflowExecutionAlreadyStartedError,
  type Client,
  type WorkflowExecutionInfo,
} from '@temporalio/client';

import {
  DEFAULT_ACCOUNT,
  Operation,
  Urgency,
  workflowIdFor,
  WORKFLOW_TASK_QUEUE,
} from '../contract/names.js';
import { operationSchemas, type Operations } from '../contract/operations/index.js';
import { reportQuery, statusQuery } from '../contract/messages.js';
import { importReportSchema, type ImportReport } from '../contract/operations/import-videos.js';
import { parseInput } from '../contract/parse-input.js';
import { statusDocumentSchema, type StatusDocument } from '../contract/status-document.js';
import { InvalidInputError, RunEndedError, RunNotFoundError } from './errors.js';
import { explainRun, type ExplainOptions, type Explanation } from './explain/explain-run.js';
import { createRunUpdates, type RunUpdates } from './run-updates.js';
import { isOperation, OPERATIONS, requestIdFrom, type NamedByInput } from './operations/index.js';
import { createPlans, type Plans } from './plans.js';
import { askRun } from './ask-run.js';
import { countPollers, type QueuePollers } from './pollers.js';
import { toRunError } from './to-run-error.js';
import { outlastServerOutage } from './outlast-server-outage.js';

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
}

export interface StartedRun {
  workflowId: string;
  /** True when this request succeeded before: nothing was started, and `result` answers immediately. */
  alreadySucceeded: boolean;
  /** When the earlier run succeeded. */
  succeededAt?: Date;
}

/** One line of `list`. */
export interface RunSummary {
  workflowId: string;
  operation: string;
  /** Temporal's name of the state: RUNNING, COMPLETED, FAILED, CANCELLED, TERMINATED, TIMED_OUT … */
  state: string;
  startedAt: Date;
  closedAt: Date | undefined;
}

export interface ResultOptions {
  /** Called repeatedly while the Temporal server does not answer. */
  onServerAway?: () => void;
}

/** Starts and follows runs; see `createGcoreWorkflows`. */
export interface GcoreWorkflows extends RunUpdates, Plans {
  /**
   * Starts a run, or joins the open run of this request. Safe to repeat.
   * @throws InvalidInputError with every fault, before anything is sent.
   */
  start<O extends keyof Operations>(operation: O, request: StartRequest<O>): Promise<StartedRun>;
  /** The status document of a run, open or closed. Needs a worker. @throws RunNotFoundError */
  status(workflowId: string): Promise<StatusDocument>;
  /**
   * Waits for the end of a run, even while the Temporal server is away or has too many open calls.
   * @throws RunFailedError, RunCancelledError, RunNotFoundError
   */
  result<O extends keyof Operations>(
    operation: O,
    workflowId: string,
    options?: ResultOptions,
  ): Promise<Operations[O]['result']>;
  /**
   * The outcome of every line of an import so far, even when the run failed or was cancelled. Needs a
   * worker. @throws RunNotFoundError
   */
  report(workflowId: string): Promise<ImportReport>;
  /** The operation of a run, open or closed. @throws RunNotFoundError, also for a run of another product */
  operationOf(workflowId: string): Promise<Operation>;
  /**
   * Asks the run to stop, to undo its work and to end as cancelled.
   * @throws RunNotFoundError, RunEndedError
   */
  cancel(workflowId: string): Promise<void>;
  /**
   * In plain English: what happened to a run, where it is, what it waits for and what to do next.
   * Needs no worker, and answers for an unknown run too.
   */
  explain(workflowId: string, options?: ExplainOptions): Promise<Explanation>;
  /** The runs of this product, newest first. */
  list(limit?: number): Promise<RunSummary[]>;
  /** The number of workers that poll each queue that runs of this account need. */
  pollers(account?: string): Promise<QueuePollers[]>;
}

const LIST_LIMIT = 50;
const ANSWER_WITHIN_MS = 5_000;

export interface GcoreWorkflowsOptions {
  /** A client of `@temporalio/client`, connected to the namespace of the worker. */
  client: Client;
  /** Task queue of the workflows; `gcore-workflows` by default. */
  taskQueue?: string;
  /** Longest wait for a worker's answer to an update or to `explain`; 5 seconds by default. */
  answerWithinMs?: number;
}

export function createGcoreWorkflows(options: GcoreWorkflowsOptions): GcoreWorkflows {
  const { client, taskQueue = WORKFLOW_TASK_QUEUE, answerWithinMs = ANSWER_WITHIN_MS } = options;
  const handle = (workflowId: string) => client.workflow.getHandle(workflowId);
  return {
    ...createRunUpdates({ client, answerWithinMs }),
    ...createQueries(client),
    ...createPlans({ client, taskQueue }),

    start: (operation, request) => startRun({ client, taskQueue }, operation, request),

    async result(operation, workflowId, { onServerAway } = {}) {
      const ended = outlastServerOutage(() => handle(workflowId).result(), onServerAway);
      const result: unknown = await orRunError(workflowId, ended);
      return operationSchemas[operation].result.parse(result);
    },

    async operationOf(workflowId) {
      const { type } = await orRunError(workflowId, handle(workflowId).describe());
      if (!isOperation(type)) throw new RunNotFoundError(workflowId);
      return type;
    },

    async cancel(workflowId) {
      // The server accepts a cancel request for a closed run silently.
      const { status } = await orRunError(workflowId, handle(workflowId).describe());
      if (status.name !== 'RUNNING') throw new RunEndedError(workflowId, status.name);
      await orRunError(workflowId, handle(workflowId).cancel());
    },

    explain: (workflowId, options) => explainRun({ client, answerWithinMs }, workflowId, options),

    list: (limit = LIST_LIMIT) => listRuns(client, limit),

    pollers: (account = DEFAULT_ACCOUNT) => countPollers(client, taskQueue, account),
  };
}

/** Queries, which a worker answers for open and closed runs. */
function createQueries(client: Client): Pick<GcoreWorkflows, 'status' | 'report'> {
  return {
    async status(workflowId) {
      const answer = askRun(client, workflowId, statusQuery);
      return statusDocumentSchema.parse(await orRunError(workflowId, answer));
    },
    async report(workflowId) {
      const answer = askRun(client, workflowId, reportQuery);
      return importReportSchema.parse(await orRunError(workflowId, answer));
    },
  };
}

async function listRuns(client: Client, limit: number): Promise<RunSummary[]> {
  const types = Object.values(Operation).map((type) => `"${type}"`);
  const query = `WorkflowType IN (${types.join(', ')})`;
  const runs: RunSummary[] = [];
  for await (const run of client.workflow.list({ query })) {
    if (runs.length >= limit) break;
    runs.push(toSummary(run));
  }
  return runs;
}

/** A plan under the id of the request would count as the request being done. */
const PLAN_IS_NO_RUN = {
  path: 'planOnly',
  message: 'makes a plan instead of a run: leave it out, or use `plan`',
};

async function startRun<O extends keyof Operations>(
  { client, taskQueue }: { client: Client; taskQueue: string },
  operation: O,
  request: StartRequest<O>,
): Promise<StartedRun> {
  const { input } = request;
  const parsed = parseInput(operationSchemas[operation].input, input);
  if (!parsed.ok) throw new InvalidInputError(parsed.faults);
  if (parsed.value.planOnly === true) throw new InvalidInputError([PLAN_IS_NO_RUN]);
  const { reuse, urgency } = OPERATIONS[operation];
  const requestId = request.requestId ?? requestIdFrom(operation, parsed.value);
  if (requestId === undefined) throw new InvalidInputError([NO_REQUEST_ID]);
  const account = parsed.value.account ?? DEFAULT_ACCOUNT;
  const workflowId = request.workflowId ?? workflowIdFor(operation, account, requestId);
  try {
    await client.workflow.start(operation, {
      workflowId,
      taskQueue,
      args: [input],
      // A repeat joins the open run. Whether a closed run may start again depends on the operation.
      workflowIdConflictPolicy: 'USE_EXISTING',
      workflowIdReusePolicy: reuse,
      staticSummary: `${operation} ${requestId}`,
      priority: { priorityKey: Urgency[request.urgency ?? urgency] },
    });
    return { workflowId, alreadySucceeded: false };
  } catch (error) {
    if (!(error instanceof WorkflowExecutionAlreadyStartedError)) throw error;
    const described = client.workflow.getHandle(workflowId).describe();
    const { closeTime } = await orRunError(workflowId, described);
    return { workflowId, alreadySucceeded: true, ...(closeTime && { succeededAt: closeTime }) };
  }
}

const NO_REQUEST_ID = { path: 'requestId', message: 'is missing: give the request an id' };

async function orRunError<T>(workflowId: string, promise: Promise<T>): Promise<T> {
  try {
    return await promise;
  } catch (error) {
    throw toRunError(workflowId, error);
  }
}

function toSummary(run: WorkflowExecutionInfo): RunSummary {
  return {
    workflowId: run.workflowId,
    operation: run.type,
    state: run.status.name,
    startedAt: run.startTime,
    closedAt: run.closeTime,
  };
}
