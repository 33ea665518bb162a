import { Client } from '@temporalio/client';

import type { Codec } from '../codec/codec.js';
import type { Check } from '../contract/check.js';
import type { ClearSecrets } from '../contract/clear-secrets.js';
import type { ItemResult } from '../contract/report-lines.js';
import type { Operations } from '../contract/operations/index.js';
import { DEFAULT_ACCOUNT } from '../engine/core/names.js';
import { WORKFLOW_TASK_QUEUE, type Operation } from '../contract/wire/names.js';
import { toIdentity } from '../engine/core/identity.js';
import { videosChangedSignal } from '../contract/wire/messages.js';
import {
  cancelRun,
  describeAsked,
  describeNamed,
  orRunError,
  toAsked,
  type RunName,
} from './ask-run.js';
import { awaitResult } from './await-result.js';
import { checkTemporal } from './check-temporal.js';
import { countRuns, type PhaseCount } from './count-runs.js';
import { createQueries, type Queries } from './create-queries.js';
import { RunNotFoundError } from './errors.js';
import { explainRun, type ExplainOptions, type Explanation } from './explain/explain-run.js';
import { importResults, type ImportResultsOptions } from './import-results.js';
import { listRuns, listPage, type PageFilter, type RunPage } from './list-runs.js';
import { isOperation } from './operations.js';
import { createPlans, type Plans } from './plans.js';
import { countPollers, type QueuePollers } from './pollers.js';
import { retryRun, type RetriedRun, type RetryOptions } from './retry-run.js';
import { resendWebhooks, type ResentWebhook } from './resend-webhooks.js';
import type { RunFilter } from './run-filter.js';
import { readHistory, type RunHistory } from './run-history.js';
import { summaryOf, type RunSummary } from './run-summary.js';
import { createRunUpdates, type RunUpdates } from './run-updates.js';
import { clearSecretsOf } from './runnable-input.js';
import { readFailure, type LastFailure } from './read-failure.js';
import { createSchedules, type Schedules } from './schedules/schedules.js';
import { withDeadline, type Calls } from './server-calls.js';
import { startRun, type StartedRun, type StartRequest } from './start-run.js';
import type { UploadLimits } from './uploads/kept-lists.js';
import { createUploads, type Uploads } from './uploads/uploads.js';

export interface ResultOptions {
  /** Called repeatedly while the Temporal server does not answer. */
  onServerAway?: () => void;
}

/** Starts and follows runs; see `createGcoreWorkflows`. */
export interface GcoreWorkflows extends RunUpdates, Plans, Queries, Uploads {
  /**
   * Starts a run, or joins the run of this request. Safe to repeat with the same input.
   * @throws InvalidInputError with every fault, before anything is sent.
   * @throws RequestConflictError when the request has an open or successful run with another input.
   * @throws RunEndingError, NoAnswerError for `protectIp`: its open run is asked before it is joined.
   */
  start<O extends keyof Operations>(operation: O, request: StartRequest<O>): Promise<StartedRun>;
  /**
   * Waits for the end of a run, even while the Temporal server is away or has too many open calls. What `start` has
   * answered names its run: a Workflow Id alone names whichever run is the newest when it is asked.
   * @throws RunFailedError, RunCancelledError, RunNotFoundError
   */
  result<O extends keyof Operations>(
    operation: O,
    run: RunName,
    options?: ResultOptions,
  ): Promise<Operations[O]['result']>;
  /**
   * The outcome of every line of an import so far, with what the API says of each video that is done or has failed:
   * details that the report has no room for are read by runs of `listVideos`, a few at a time. When they cannot be
   * read, the lines come without them. Needs a worker. @throws RunNotFoundError, RunEndedError when another run has the
   * Workflow Id of a named Run Id now
   */
  importResults(run: RunName, options?: ImportResultsOptions): AsyncIterable<ItemResult>;
  /** The operation of a run, open or closed. @throws RunNotFoundError, also for a run of another product */
  operationOf(workflowId: string): Promise<Operation>;
  /**
   * Asks the run to stop, to undo its work and to end as cancelled.
   * @throws RunNotFoundError, RunEndedError
   */
  cancel(run: RunName): Promise<void>;
  /**
   * Tells an open import that these videos have changed, so that it looks at those that it waits for. Never more
   * than a hint: what the run reports is what it has seen itself. At most 1,000 ids.
   * @throws RunNotFoundError, also for a run that has ended
   */
  hintVideos(workflowId: string, videoIds: readonly number[]): Promise<void>;
  /**
   * Starts a run again that has failed, was cancelled or was ended from outside, with its own input and
   * id: it finds what the first try has left. Of an import whose videos failed, only those, as a request
   * of their own (`<id>.retry-1`, then `.retry-2`); this needs a worker.
   * @throws RetryRefusedError, RunNotFoundError, InvalidInputError, NoAnswerError; RunEndedError when another run has
   *   the Workflow Id of a named Run Id now
   */
  retry(run: RunName, options?: RetryOptions): Promise<RetriedRun>;
  /**
   * Sends webhooks again, under the ids that they had: the events of these ids, whichever run of the Workflow Id has told
   * them, to everybody who has asked for them, or all that the newest run has given up. That needs a worker, and so does the
   * sending.
   * @throws RunNotFoundError, InvalidInputError for an event that no run of this id has told
   */
  resendWebhooks(workflowId: string, events?: readonly string[]): Promise<ResentWebhook[]>;
  /**
   * In plain English: what happened to a run, where it is, what it waits for and what to do next.
   * Needs no worker, and answers for an unknown run too.
   * @throws RunEndedError when another run has the Workflow Id of a named Run Id now
   */
  explain(run: RunName, options?: ExplainOptions): Promise<Explanation>;
  /**
   * The runs of this product that fit the filter: the open ones first, then the others by their end, the newest at the
   * top. A number is a limit alone.
   * @throws InvalidInputError
   */
  list(filter?: number | RunFilter): Promise<RunSummary[]>;
  /**
   * One page of the runs of this product, in the order of `list`, and where the next one begins.
   * @throws InvalidInputError, also for a page that this server has not given
   */
  page(filter?: PageFilter): Promise<RunPage>;
  /**
   * How many runs of the filter are in each phase, in the order of `LISTED_PHASES`; phases without a run are left out.
   * @throws InvalidInputError
   */
  counts(filter?: RunFilter): Promise<PhaseCount[]>;
  /**
   * What the history of a run shows without a worker: its input and its result, if they have at most `mostBytes`, and
   * what it has called and waited for. However long the run is, that is two reads. The input is as it was given: it may
   * hold secrets. @throws RunNotFoundError, RunEndedError as above
   */
  history(run: RunName, mostBytes: number): Promise<RunHistory>;
  /**
   * How the newest run of this id has failed, from its last event; `undefined` for one that goes on or did not fail.
   * @throws RunNotFoundError
   */
  failure(workflowId: string): Promise<LastFailure | undefined>;
  /**
   * The line of one run in a list. Needs no worker. @throws RunNotFoundError, also for a run of another product;
   * RunEndedError as above, unless `evenOver` asks for a named run after which another one has begun
   */
  summary(run: RunName, options?: { evenOver?: boolean }): Promise<RunSummary>;
  /** The number of workers that poll each queue that runs of this account need. */
  pollers(account?: string): Promise<QueuePollers[]>;
  /**
   * What runs need of the Temporal server and of the workers: whether it is there, and what to do.
   * A check that cannot be made says so. With several accounts, the check of each one's workers has its name.
   */
  check(wanted?: {
    account?: string;
    accounts?: readonly string[];
    build?: string | readonly string[];
  }): Promise<Check[]>;
  /** Runs that start by themselves at given times. */
  readonly schedules: Schedules;
  /**
   * For who gives up after so long: what `work` asks of the Temporal server by this client ends then, at the server too.
   * What a run has been asked for goes on.
   */
  endingWithin<T>(ms: number, work: () => Promise<T>): Promise<T>;
  /** The same on behalf of somebody: the status and the history of runs name this identity. */
  as(identity: string): GcoreWorkflows;
}

const ANSWER_WITHIN_MS = 5_000;
/** A restore usually takes half a minute. */
const END_WITHIN_MS = 120_000;

export interface GcoreWorkflowsOptions {
  /** A client of `@temporalio/client`, connected to the namespace of the worker. */
  client: Client;
  /** Encrypts payloads, after the codecs of `client` itself: `await openCodec({ file })`. */
  codec?: Codec;
  /** Task queue of the workflows; `gcore-workflows` by default. */
  taskQueue?: string;
  /**
   * Who uses this client, such as `billing` or `anna@host`: runs name it for what it starts and asks. A claim that
   * nobody checks. By default the identity of the Temporal client, `<process id>@<host>`.
   */
  identity?: string;
  /** Longest wait for a worker's answer to an update or to `explain`; 5 seconds by default. */
  answerWithinMs?: number;
  /** Longest time that `start` waits for the end of a run that cannot be joined any more; 2 minutes by default. */
  endWithinMs?: number;
  /** Whether inputs may hold secrets in clear; by default only when the client encrypts its payloads. */
  clearSecrets?: ClearSecrets;
  /** `status` reports an account without a worker when a call has waited this long; 30 seconds by default. */
  unservedAfterMs?: number;
  /** What is kept of uploaded lists at most; 64 MiB of one list, 256 MiB of one caller, 1 GiB and 500 lists of one account by default. */
  uploadLimits?: Partial<UploadLimits>;
}

/** A worker that starts needs some seconds. */
const UNSERVED_AFTER_MS = 30_000;

export function createGcoreWorkflows(options: GcoreWorkflowsOptions): GcoreWorkflows {
  return createGcoreThrough(options, (work) => work());
}

/** @param call makes each call of what goes on between the calls of the caller. */
export function createGcoreThrough(
  options: GcoreWorkflowsOptions,
  call: Calls['call'],
): GcoreWorkflows {
  const { taskQueue = WORKFLOW_TASK_QUEUE, answerWithinMs = ANSWER_WITHIN_MS } = options;
  const client = withCodec(options.client, options.codec);
  const { unservedAfterMs = UNSERVED_AFTER_MS, endWithinMs = END_WITHIN_MS } = options;
  const clearSecrets = clearSecretsOf(client, options.clearSecrets);
  const by = toIdentity(options.identity ?? client.options.identity);
  const deps = { client, taskQueue, answerWithinMs, endWithinMs, clearSecrets, by };
  const handle = (workflowId: string) => client.workflow.getHandle(workflowId);
  const queries = createQueries({ client, unservedAfterMs });
  return {
    ...createRunUpdates(deps),
    ...queries,
    ...createPlans(deps),
    ...createUploads({ ...deps, uploadLimits: options.uploadLimits }),
    ...createOverviews({ client, taskQueue, answerWithinMs }),
    schedules: createSchedules(deps),

    endingWithin: (ms, work) => withDeadline(client, ms, work),

    as: (identity) => createGcoreThrough({ ...options, identity }, call),

    start: (operation, request) => startRun(deps, operation, request),

    result: (operation, run, { onServerAway } = {}) =>
      awaitResult(client, { operation, ...toAsked(run), onServerAway }),

    importResults: (run, given) => importResults({ ...deps, call }, toAsked(run), given),

    cancel: (run) => cancelRun(deps, toAsked(run)),

    hintVideos: (workflowId, videoIds) =>
      orRunError(workflowId, handle(workflowId).signal(videosChangedSignal, [...videoIds])),

    retry: (run, given = {}) => retryRun(deps, toAsked(run), given),

    resendWebhooks: (workflowId, events) =>
      resendWebhooks(client, workflowId, {
        events,
        givenUpBy: async (run) => (await queries.status(run)).webhooks?.undelivered ?? [],
      }),
  };
}

type Overviews = Pick<
  GcoreWorkflows,
  | 'explain'
  | 'list'
  | 'page'
  | 'counts'
  | 'history'
  | 'failure'
  | 'summary'
  | 'operationOf'
  | 'pollers'
  | 'check'
>;

interface OverviewDeps {
  client: Client;
  taskQueue: string;
  answerWithinMs: number;
}

/** What needs no worker. */
function createOverviews(deps: OverviewDeps): Overviews {
  const { client, taskQueue } = deps;
  return {
    explain: (run, options) => explainRun(deps, run, options),

    list: (given = {}) => listRuns(client, typeof given === 'number' ? { limit: given } : given),

    page: (filter = {}) => listPage(client, filter),

    counts: (filter = {}) => countRuns(client, filter),

    history: (run, mostBytes) => readHistory(client, toAsked(run), mostBytes),

    failure: (workflowId) => readFailure(client, workflowId),

    async summary(name, { evenOver = false } = {}) {
      const describe = evenOver ? describeNamed : describeAsked;
      const run = await describe(client, toAsked(name));
      if (!isOperation(run.type)) throw new RunNotFoundError(run.workflowId);
      return summaryOf(run);
    },

    async operationOf(workflowId) {
      const run = client.workflow.getHandle(workflowId).describe();
      const { type } = await orRunError(workflowId, run);
      if (!isOperation(type)) throw new RunNotFoundError(workflowId);
      return type;
    },

    pollers: (account = DEFAULT_ACCOUNT) => countPollers(client, taskQueue, account),

    check: ({ account = DEFAULT_ACCOUNT, accounts = [account], build } = {}) =>
      checkTemporal(client, { taskQueue, accounts, build }),
  };
}

/** The same client, whose payloads also pass this codec. */
function withCodec(client: Client, codec: Codec | undefined): Client {
  if (codec === undefined) return client;
  const { connection, options } = client;
  const { loadedDataConverter: converter, ...others } = options;
  const payloadCodecs = [...converter.payloadCodecs, codec];
  return new Client({ ...others, connection, dataConverter: { ...converter, payloadCodecs } });
}
