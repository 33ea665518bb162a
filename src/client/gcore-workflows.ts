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
   * The caller's own name for this request. The same id never makes two of anything. `protectIp`
   * needs none: its address is what a repeat has in common.
   */
  requestId?: string;
  input: Operations[O]['input'];
  /** Instead of the id built from the operation, the account and `requestId`. */
  workflowId?: string;
  /**
   * Whose calls go out first when many runs wait for the account's request budget; when left out
   * `incident` for `protectIp`, else `normal`. A repeat that joins an open run does not change it.
   */
  urgency?: Urgency;
}

export interface StartedRun {
  workflowId: string;
  /** This request had succeeded before: nothing was started, `result` answers at once. */
  alreadySucceeded: boolean;
}

/** One line of `list`. */
export interface RunSummary {
  workflowId: string;
  operation: string;
  /** Temporal's word: RUNNING, COMPLETED, FAILED, CANCELLED, TERMINATED, TIMED_OUT … */
  state: string;
  startedAt: Date;
  closedAt: Date | undefined;
}

export interface ResultOptions {
  /** Told from time to time while the Temporal server does not answer. */
  onServerAway?: () => void;
}

/** Starts and follows runs. Made by `createGcoreWorkflows`. */
export interface GcoreWorkflows extends RunUpdates, Plans {
  /**
   * Starts a run, or attaches to the one that this request already has. Safe to repeat blindly.
   * @throws InvalidInputError with every fault, before anything is sent.
   */
  start<O extends keyof Operations>(operation: O, request: StartRequest<O>): Promise<StartedRun>;
  /** The status document of a run, open or closed. Needs a worker. @throws RunNotFoundError */
  status(workflowId: string): Promise<StatusDocument>;
  /**
   * Waits for the end of a run, also while the Temporal server is away or has too many open calls.
   * @throws RunFailedError, RunCancelledError, RunNotFoundError
   */
  result<O extends keyof Operations>(
    operation: O,
    workflowId: string,
    options?: ResultOptions,
  ): Promise<Operations[O]['result']>;
  /**
   * What became of every line of an import so far, also when it failed or was cancelled. Needs a
   * worker. @throws RunNotFoundError
   */
  report(workflowId: string): Promise<ImportReport>;
  /** Which operation a run is, open or closed. @throws RunNotFoundError, also for a run of others */
  operationOf(workflowId: string): Promise<Operation>;
  /**
   * Asks the run to stop, undo what it did and end as cancelled.
   * @throws RunNotFoundError, RunEndedError
   */
  cancel(workflowId: string): Promise<void>;
  /**
   * What happened to a run, where it is, what it waits for and what to do next, in plain words. Works
   * without a worker too, and for a run that is not there.
   */
  explain(workflowId: string, options?: ExplainOptions): Promise<Explanation>;
  /** The runs of this product, newest first. */
  list(limit?: number): Promise<RunSummary[]>;
  /** How many workers poll each queue that a run of this account needs. */
  pollers(account?: string): Promise<QueuePollers[]>;
}

const LIST_LIMIT = 50;
const ANSWER_WITHIN_MS = 5_000;

export interface GcoreWorkflowsOptions {
  /** A client of `@temporalio/client`, connected to the namespace of the worker. */
  client: Client;
  /** Where the worker takes workflows from, if not from `gcore-workflows`. */
  taskQueue?: string;
  /** How long a worker may take to answer an operator's word or `explain`; 5 seconds by default. */
  answerWithinMs?: number;
}

export function createGcoreWorkflows(options: GcoreWorkflowsOptions): GcoreWorkflows {
  const { client, taskQueue = WORKFLOW_TASK_QUEUE, answerWithinMs = ANSWER_WITHIN_MS } = options;
  const handle = (workflowId: string) => client.workflow.getHandle(workflowId);
  return {
    ...createRunUpdates({ client, answerWithinMs }),
    ...createQuestions(client),
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
      // The server takes the request for a closed run without a word.
      const { status } = await orRunError(workflowId, handle(workflowId).describe());
      if (status.name !== 'RUNNING') throw new RunEndedError(workflowId, status.name);
      await orRunError(workflowId, handle(workflowId).cancel());
    },

    explain: (workflowId, how) => explainRun({ client, answerWithinMs }, workflowId, how),

    list: (limit = LIST_LIMIT) => listRuns(client, limit),

    pollers: (account = DEFAULT_ACCOUNT) => countPollers(client, taskQueue, account),
  };
}

/** What a worker answers, of an open run and of one that has ended. */
function createQuestions(client: Client): Pick<GcoreWorkflows, 'status' | 'report'> {
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

/** Under the id of the request its success would stand for the request. */
const PLAN_IS_NO_RUN = {
  path: 'planOnly',
  message: 'makes a plan, not a run: leave it out, or ask for the plan with `plan`',
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
      // A repeat joins the open run; a run that failed may be tried again; one that succeeded by its policy.
      workflowIdConflictPolicy: 'USE_EXISTING',
      workflowIdReusePolicy: reuse,
      staticSummary: `${operation} ${requestId}`,
      priority: { priorityKey: Urgency[request.urgency ?? urgency] },
    });
    return { workflowId, alreadySucceeded: false };
  } catch (error) {
    if (!(error instanceof WorkflowExecutionAlreadyStartedError)) throw error;
    return { workflowId, alreadySucceeded: true };
  }
}

const NO_REQUEST_ID = { path: 'requestId', message: 'is missing: name the request' };

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
