import proto from '@temporalio/proto';

import { INVALID_ARGUMENT, NOT_FOUND, toCallError, type CallError } from '../client/call-error.js';
import type { StickyQueue, WorkerCalls } from '../client/worker-calls.js';
import {
  toNumber,
  type Activation,
  type Failure,
  type Job,
  type WorkflowTask,
} from '../messages.js';
import { MachineError } from '../machines/machine.js';
import type { Permit } from '../worker/slots.js';
import type { HistoryPaginator } from './history-paginator.js';
import type { RunHost } from './run-parts.js';
import {
  applicationFailure,
  causeOf,
  type Action,
  type Completion,
  type FailedCause,
  type Outcome,
  type VersioningBehavior as Behavior,
} from './run-completion.js';
import { EvictionReasons, prepareTask, refetchTask, type PreparedTask } from './tasks.js';
import { WorkflowStream, type PostActivation } from './workflow-stream.js';
import type { LocalResolution } from '../activity/local-activities.js';

const { VersioningBehavior, WorkflowTaskFailedCause } = proto.temporal.api.enums.v1;
const UNHANDLED =
  WorkflowTaskFailedCause.WORKFLOW_TASK_FAILED_CAUSE_WORKFLOW_WORKER_UNHANDLED_FAILURE;

export interface WorkflowsOptions {
  calls: WorkerCalls;
  host: Omit<RunHost, 'onHeartbeat'>;
  sticky: StickyQueue | undefined;
  /** Of workflows that say nothing themselves. */
  defaultBehavior: Behavior;
  /** How often local activities of this run have been tried again in other workflow tasks than their first. */
  localRetries: (runId: string) => number;
  /** An activation for lang. */
  onActivation: (activation: Activation) => void;
  /** Told when lang has caught up with the history of a run. */
  onCaughtUp?: (runId: string) => void;
  /** Told when something may be over. */
  onChange: () => void;
}

type Reported = Pick<PostActivation, 'status' | 'resetTo' | 'nextTask'>;

const NOT_REPORTED: Reported = { status: 'notReported', resetTo: undefined, nextTask: undefined };
const REPORTED: Reported = { ...NOT_REPORTED, status: 'reported' };

/** The workflow side of a worker: tasks of the server become activations, answers of lang become answers to the server. */
export class Workflows {
  readonly #options: WorkflowsOptions;
  readonly #stream: WorkflowStream;
  #fetches = 0;

  constructor(options: WorkflowsOptions) {
    this.#options = options;
    this.#stream = new WorkflowStream({
      ...options.host,
      onHeartbeat: (runId) => {
        this.#stream.heartbeatTimeout(runId);
      },
      onAction: (action) => {
        this.#onAction(action);
      },
      refetch: (task) => {
        void this.#refetch(task);
      },
      fetchPage: (runId, paginator) => {
        void this.#fetchPage(runId, paginator);
      },
      onChange: options.onChange,
    });
  }

  get isIdle(): boolean {
    return this.#fetches === 0 && !this.#stream.hasWork();
  }

  /** A task that was polled. */
  async receive(task: WorkflowTask, permit: Permit): Promise<void> {
    this.#fetches += 1;
    try {
      this.#stream.newTask(await prepareTask(task, this.#options.calls, permit));
    } catch (error: unknown) {
      permit.release();
      await this.#cannotFetch(task, error);
    } finally {
      this.#fetches -= 1;
      this.#options.onChange();
    }
  }

  /** Lang has answered an activation. Ends when all that follows from it has been said to the server. */
  async complete(completion: Completion): Promise<void> {
    await this.#complete(completion, false);
  }

  localResolution(runId: string, resolution: LocalResolution): void {
    this.#stream.localResolution(runId, resolution);
  }

  /** Forgets a run, or all of them: their next tasks are replayed from the begin of their history. */
  evict(runId?: string, message = 'Eviction asked for by the simulation'): void {
    const runIds = runId === undefined ? this.#stream.runIds() : [runId];
    for (const id of runIds) {
      this.#stream.evict(id, { message, reason: EvictionReasons.LANG_REQUESTED });
    }
  }

  async #complete(completion: Completion, isAuto: boolean): Promise<void> {
    const { runId } = completion;
    const outcome = await new Promise<Outcome>((resolve) => {
      this.#stream.complete(completion, resolve);
    });
    const isCaughtUp = !isAuto && !this.#stream.isReplaying(runId);
    const reported = await this.#report(runId, outcome);
    if (isCaughtUp) this.#options.onCaughtUp?.(runId);
    this.#stream.postActivation({ runId, isAuto, ...reported });
  }

  #onAction(action: Action): void {
    if (action.kind === 'activation') {
      sortJobs(action.activation);
      this.#options.onActivation(action.activation);
    } else void this.#complete(answerTo(action), true);
  }

  async #report(runId: string, outcome: Outcome): Promise<Reported> {
    switch (outcome.kind) {
      case 'nothing':
        return NOT_REPORTED;
      case 'drop':
        return { ...NOT_REPORTED, status: 'dropped' };
      case 'query':
      case 'failQuery':
        await this.#answerQuery(outcome);
        return REPORTED;
      case 'fail':
        await this.#failTask(runId, outcome);
        return REPORTED;
      case 'success':
        return this.#completeTask(runId, outcome);
    }
  }

  async #completeTask(
    runId: string,
    outcome: Extract<Outcome, { kind: 'success' }>,
  ): Promise<Reported> {
    const { calls, sticky, localRetries, defaultBehavior } = this.#options;
    try {
      const versioningBehavior =
        outcome.versioningBehavior === VersioningBehavior.VERSIONING_BEHAVIOR_UNSPECIFIED
          ? defaultBehavior
          : outcome.versioningBehavior;
      const completion = { ...outcome, versioningBehavior, localRetries: localRetries(runId) };
      const answer = await calls.completeWorkflowTask(completion, sticky);
      const reset = toNumber(answer.resetHistoryEventId);
      return {
        status: 'reported',
        resetTo: reset > 0 ? reset : undefined,
        nextTask: await this.#nextTask(runId, answer.workflowTask),
      };
    } catch (error: unknown) {
      this.#evictAfter(runId, toCallError(error));
      return REPORTED;
    }
  }

  /** The server may give the next task with its answer. */
  async #nextTask(
    runId: string,
    task: WorkflowTask | null | undefined,
  ): Promise<PostActivation['nextTask']> {
    if (!task || (task.taskToken ?? []).length === 0) return undefined;
    try {
      const prepared = await prepareTask(task, this.#options.calls, { release: () => undefined });
      return (permit) => ({ ...prepared, permit });
    } catch (error: unknown) {
      this.#stream.evict(runId, {
        message: `Failed to paginate workflow task from completion: ${toCallError(error).message}`,
        reason: EvictionReasons.FATAL,
      });
      return undefined;
    }
  }

  async #failTask(
    runId: string,
    {
      taskToken,
      cause,
      failure,
    }: { taskToken: Uint8Array; cause: FailedCause; failure: Failure | null },
  ): Promise<void> {
    try {
      await this.#options.calls.failWorkflowTask(taskToken, cause, failure);
    } catch (error: unknown) {
      this.#evictAfter(runId, toCallError(error));
    }
  }

  #evictAfter(runId: string, { code, details }: CallError): void {
    const isUnhandled = code === INVALID_ARGUMENT && details === 'UnhandledCommand';
    const reason = isUnhandled
      ? EvictionReasons.UNHANDLED_COMMAND
      : code === NOT_FOUND
        ? EvictionReasons.TASK_NOT_FOUND
        : EvictionReasons.FATAL;
    this.#stream.evict(runId, { message: 'Error reporting WFT to server', reason });
  }

  /** What nobody waits for any more cannot be answered: that is no trouble. */
  async #answerQuery(outcome: Extract<Outcome, { kind: 'query' | 'failQuery' }>): Promise<void> {
    try {
      await this.#options.calls.answerQuery(outcome);
    } catch (error: unknown) {
      toCallError(error);
    }
  }

  async #refetch(task: PreparedTask): Promise<void> {
    this.#fetches += 1;
    try {
      this.#stream.newTask(await refetchTask(task, this.#options.calls));
    } catch (error: unknown) {
      task.permit.release();
      await this.#cannotFetch(task.task, error);
    } finally {
      this.#fetches -= 1;
      this.#options.onChange();
    }
  }

  async #fetchPage(runId: string, paginator: HistoryPaginator): Promise<void> {
    this.#fetches += 1;
    try {
      this.#stream.pageFetched(runId, await paginator.extract(), paginator);
    } catch (error: unknown) {
      const message = `Fetching history failed: ${toCallError(error).message}`;
      this.#stream.evict(runId, { message, reason: EvictionReasons.PAGINATION_OR_HISTORY_FETCH });
    } finally {
      this.#fetches -= 1;
      this.#options.onChange();
    }
  }

  /** A task whose history cannot be had fails: by itself, or after the eviction of its run. */
  async #cannotFetch(task: WorkflowTask, error: unknown): Promise<void> {
    const reason = error instanceof MachineError ? error.message : toCallError(error).message;
    const message = `Fetching history failed: ${reason}`;
    const runId = task.workflowExecution?.runId ?? '';
    const taskToken = task.taskToken ?? new Uint8Array();
    const isCached = this.#stream.evict(runId, {
      message,
      reason: EvictionReasons.PAGINATION_OR_HISTORY_FETCH,
      failsTask: taskToken,
    });
    if (isCached) return;
    const failure = applicationFailure(message, true);
    await this.#failTask(runId, { taskToken, cause: UNHANDLED, failure });
  }
}

/** What core answers in the place of lang. */
function answerTo(action: Exclude<Action, { kind: 'activation' }>): Completion {
  const { runId } = action;
  if (action.kind === 'autocomplete') {
    return { kind: 'success', runId, commands: [], usedFlags: [], versioningBehavior: 0 };
  }
  const { error } = action;
  const failure = applicationFailure(error.message, false);
  return { kind: 'failed', runId, failure, cause: causeOf(error), isAuto: true };
}

function rank(job: Job): number {
  if (job.initializeWorkflow) return 0;
  if (job.notifyHasPatch) return 1;
  if (job.updateRandomSeed) return 2;
  if (job.signalWorkflow || job.doUpdate) return 3;
  if (job.resolveActivity?.isLocal === true) return 5;
  if (job.queryWorkflow) return 6;
  return job.removeFromCache ? 7 : 4;
}

/** In the order in which lang expects the jobs of an activation. */
function sortJobs(activation: Activation): void {
  activation.jobs = (activation.jobs ?? []).toSorted((a, b) => rank(a) - rank(b));
}
