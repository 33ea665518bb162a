import type { Cancel } from '../../time/clock.js';
import type { LocalResolution } from '../activity/local-activities.js';
import { toMs } from '../timestamps.js';
import type { Activation, Failure } from '../messages.js';
import type { LocalRequest } from '../machines/local-activity-data.js';
import { fatal, type MachineError } from '../machines/machine.js';
import { WorkflowMachines } from '../machines/workflow-machines.js';
import type { HistoryPaginator } from './history-paginator.js';
import type { HistoryUpdate } from './history-update.js';
import {
  applicationFailure,
  causeOf,
  evictionReasonOf,
  isNondeterminism,
  orderCommands,
  orUnhandled,
  toMachineError,
  type Action,
  type Completion,
  type FailedCause,
  type Outcome,
} from './run-completion.js';
import {
  failureOf,
  isExpiredQuery,
  KEEPS_QUERIES,
  completionFailed,
  outcomeOf,
  outstanding,
  SILENT,
  UNHANDLED,
  type Eviction,
  type HeldTask,
  type NeedsPage,
  type Outstanding,
  type Processing,
  type Reply,
  type RunHost,
  type WaitingForLocal,
} from './run-parts.js';
import {
  BufferedTasks,
  evictActivation,
  EvictionReasons,
  LEGACY_QUERY_ID,
  type EvictionReason,
  type PreparedTask,
} from './tasks.js';

/** A workflow task with a local activity is prolonged after this part of its timeout. */
const HEARTBEAT_FRACTION = 0.8;

/** One cached run: its machines, its workflow task and its activation. All of it is synchronous. */
export class ManagedRun {
  readonly machines: WorkflowMachines;
  readonly #host: RunHost;
  readonly #buffer = new BufferedTasks();
  #task: HeldTask | undefined;
  #activation: Outstanding | undefined;
  #waiting: WaitingForLocal | undefined;
  #isBroken = false;
  #eviction: Eviction | undefined;
  #paginator: HistoryPaginator | undefined;
  #waitsForPage: Processing | undefined;

  constructor(host: RunHost, task: PreparedTask) {
    this.#host = host;
    this.machines = new WorkflowMachines(host.basics, task);
  }

  get runId(): string {
    return this.machines.runId;
  }

  get eviction(): Eviction | undefined {
    return this.#eviction;
  }

  get hasTask(): boolean {
    return this.#task !== undefined;
  }

  get hasPendingQueries(): boolean {
    return (this.#task?.queries.length ?? 0) > 0;
  }

  get hasBuffered(): boolean {
    return this.#buffer.hasTasks();
  }

  get waitsForLocal(): boolean {
    return this.#waiting !== undefined;
  }

  hasMoreWork(): boolean {
    return this.#task !== undefined && this.machines.hasJobs();
  }

  hasAnyWork({ ignoresBuffer }: { ignoresBuffer: boolean }): boolean {
    return (
      this.#task !== undefined ||
      (!ignoresBuffer && this.#buffer.hasTasks()) ||
      this.#activation !== undefined ||
      this.#eviction !== undefined
    );
  }

  incomingTask(task: PreparedTask): Action | undefined {
    return this.#update(() => this.#incomingTask(task));
  }

  checkMore(): Action | undefined {
    return this.#update(() => this.#checkMore());
  }

  /** The task again, where nothing of the run is in its way. */
  bufferIfBusy(task: PreparedTask): PreparedTask | undefined {
    if (this.#activation === undefined && this.#eviction === undefined && !this.hasMoreWork()) {
      return task;
    }
    this.#buffer.add(task);
    return undefined;
  }

  #incomingTask(prepared: PreparedTask): Action | undefined {
    const { legacyQuery, update } = prepared;
    if (prepared.queries.length > 0 && legacyQuery !== undefined) {
      throw fatal('Server issued both normal and legacy query');
    }
    this.#paginator = prepared.paginator;
    // A task that is still here has timed out at the server.
    this.#task?.prepared.permit.release();
    const queries = legacyQuery === undefined ? [...prepared.queries] : [legacyQuery];
    this.#task = { prepared, queries, startedAt: this.#host.now() };
    if (this.#waiting !== undefined) {
      this.#waiting.cancelTimer();
      this.#waiting.isDue = false;
    }
    if (isExpiredQuery(prepared, this.machines.currentStartedId)) {
      return { kind: 'autofail', runId: this.runId, error: fatal('Query expired') };
    }
    this.machines.newWorkFromServer(update, prepared.messages);
    const activation = this.#nextActivation();
    if ((activation.jobs ?? []).length > 0) return { kind: 'activation', activation };
    return this.#nothingForLang(this.#task);
  }

  /** The task only prolongs another one, or it is about queries. */
  #nothingForLang(task: HeldTask): Action | undefined {
    if (this.machines.localActivities.outstanding() === 0) {
      return { kind: 'autocomplete', runId: this.runId };
    }
    if (this.#waiting === undefined) {
      throw fatal('Got a new WFT while there are outstanding local activities, unexpectedly');
    }
    this.#waiting.cancelTimer = this.#startHeartbeat(task.startedAt, this.#waiting.timeoutMs);
    return undefined;
  }

  #nextActivation(): Activation {
    if (!this.machines.hasJobs()) this.machines.applyNextTask();
    return this.machines.takeActivation();
  }

  /** Gives up the task, once the server knows its end. */
  completeTask(isReported: boolean, resetTo: number | undefined): HeldTask | undefined {
    const task = this.#task;
    this.#task = undefined;
    if (isReported) {
      if (resetTo !== undefined) this.machines.resetLastStarted(resetTo);
      this.#host.localTaskCompleted(this.runId);
    }
    return task;
  }

  #checkMore(): Action | undefined {
    if (this.#activation !== undefined) return undefined;
    if (this.#eviction !== undefined) this.#sink([{ kind: 'cancelAll' }]);
    if (this.#task === undefined) return undefined;
    if (this.machines.hasJobs() && !this.#isBroken) {
      return { kind: 'activation', activation: this.#nextActivation() };
    }
    if (this.#waiting !== undefined && this.machines.localActivities.outstanding() === 0) {
      this.#waiting.cancelTimer();
      this.#waiting = undefined;
      return { kind: 'autocomplete', runId: this.runId };
    }
    if (!this.#isBroken && this.#task.queries.length > 0) return this.#queryActivation(this.#task);
    if (this.#waiting?.isDue === true) return { kind: 'autocomplete', runId: this.runId };
    return this.#evictActivation();
  }

  #evictActivation(): Extract<Action, { kind: 'activation' }> | undefined {
    if (this.#eviction === undefined) return undefined;
    const { message, reason } = this.#eviction;
    return { kind: 'activation', activation: evictActivation(this.runId, message, reason) };
  }

  /** Queries have an activation of their own; one that came by itself waits until nothing else is to be done. */
  #queryActivation(task: HeldTask): Action {
    const activation = this.machines.takeActivation();
    const jobs = activation.jobs ?? [];
    const isLegacy = task.queries.some(({ queryId }) => queryId === LEGACY_QUERY_ID);
    if (!isLegacy || jobs.length === 0) {
      activation.jobs = [...jobs, ...task.queries.map((query) => ({ queryWorkflow: query }))];
      task.queries = [];
    }
    return { kind: 'activation', activation };
  }

  /** Lang has handled an activation. */
  succeeded(
    completion: Extract<Completion, { kind: 'success' }>,
    reply: Reply | undefined,
    isForced = false,
  ): Action | NeedsPage | undefined {
    const wasEviction = this.#activation === 'eviction';
    if (this.#task === undefined) {
      reply?.(this.#outcomeWithoutTask());
      return undefined;
    }
    const { taskToken } = this.#task.prepared;
    const [only] = completion.commands;
    const legacy = completion.commands.length === 1 ? only?.respondToQuery : undefined;
    if (legacy?.queryId === LEGACY_QUERY_ID) {
      reply?.({ kind: 'query', taskToken, result: legacy });
      return undefined;
    }
    const cutsOff =
      this.machines.isReplaying && !this.machines.flags.tryUse('moveTerminalCommands', false);
    const processing: Processing = {
      ...orderCommands(completion.commands, cutsOff),
      usedFlags: completion.usedFlags,
      versioningBehavior: completion.versioningBehavior,
      taskToken,
      startedAt: this.#task.startedAt,
      hasPendingQuery: this.#task.queries.length > 0,
      wasEviction,
      isForced,
      reply,
    };
    if (!this.machines.canApplyNextTask()) {
      const paginator = this.#paginator;
      if (paginator === undefined) throw new Error('a run has lost its history');
      this.#paginator = undefined;
      this.#waitsForPage = processing;
      return { kind: 'needsPage', paginator };
    }
    return this.#process(processing, undefined);
  }

  /** The history that an answer of lang waited for. */
  pageFetched(update: HistoryUpdate, paginator: HistoryPaginator): Action | undefined {
    this.#paginator = paginator;
    const processing = this.#waitsForPage;
    this.#waitsForPage = undefined;
    return processing === undefined ? undefined : this.#process(processing, update);
  }

  #outcomeWithoutTask(): Outcome {
    const eviction = this.#eviction;
    const taskToken = eviction?.failsTask;
    if (eviction === undefined || taskToken === undefined) return { kind: 'nothing' };
    delete eviction.failsTask;
    return {
      kind: 'fail',
      taskToken,
      cause: UNHANDLED,
      failure: applicationFailure(eviction.message, true),
    };
  }

  /** An activation failed, in lang or in the machines. */
  failed(
    completion: Extract<Completion, { kind: 'failed' }>,
    reason: EvictionReason,
    reply: Reply | undefined,
  ): Action | undefined {
    const { failure } = completion;
    const task = this.#task;
    const isQuery = this.#isLegacyQuery();
    const isSilent = isQuery && completion.isAuto && SILENT.has(reason);
    if (task === undefined || isSilent) {
      reply?.({ kind: task === undefined ? 'nothing' : 'drop' });
      return undefined;
    }
    const action = this.requestEviction({ message: completionFailed(failure), reason });
    const cause = orUnhandled(completion.cause);
    if (!isQuery && task.prepared.attempt <= 1 && this.#failsWorkflow(cause)) {
      return this.#failWorkflow(failure, reply);
    }
    reply?.(failureOf(task.prepared, { isQuery, failure, cause }));
    return action;
  }

  #failsWorkflow(cause: FailedCause): boolean {
    return isNondeterminism(cause) && this.#host.failsWorkflow(this.machines.workflowType);
  }

  #failWorkflow(failure: Failure | null, reply: Reply | undefined): Action | undefined {
    const action = this.succeeded(
      {
        kind: 'success',
        runId: this.runId,
        commands: [{ failWorkflowExecution: { failure } }],
        usedFlags: [],
        versioningBehavior: 0,
      },
      reply,
      true,
    );
    return action?.kind === 'needsPage' ? undefined : action;
  }

  /** Forgets the activation. True if it was an eviction, so that the run goes. */
  finishActivation(isAuto: boolean): { isEvicted: boolean; buffered: PreparedTask[] } {
    const activation = this.#activation;
    if (activation === undefined || (isAuto && activation !== 'autocomplete')) {
      return { isEvicted: false, buffered: [] };
    }
    this.#activation = undefined;
    if (activation !== 'eviction') return { isEvicted: false, buffered: [] };
    this.#host.invalidateLocal(this.runId);
    this.#waiting?.cancelTimer();
    const next = this.#buffer.next();
    this.#buffer.drop();
    this.#task?.prepared.permit.release();
    return { isEvicted: true, buffered: next === undefined ? [] : [next] };
  }

  localResolution(resolution: LocalResolution): Action | undefined {
    return this.#update(() => {
      this.#applyLocal(resolution);
      return this.#activation === undefined ? this.#checkMore() : undefined;
    });
  }

  /** The workflow task would time out soon: it is prolonged by a new one. */
  heartbeatTimeout(): Action | undefined {
    return this.#update(() => {
      if (this.#waiting === undefined) return undefined;
      this.#waiting.cancelTimer();
      this.#waiting.isDue = true;
      return this.#activation === undefined
        ? { kind: 'autocomplete', runId: this.runId }
        : undefined;
    });
  }

  requestEviction(eviction: Eviction): Action | undefined {
    const waits = this.#waitsForPage;
    if (waits !== undefined && eviction.reason === EvictionReasons.PAGINATION_OR_HISTORY_FETCH) {
      this.#waitsForPage = undefined;
      const failure = applicationFailure(eviction.message, false);
      const { runId } = this;
      const failed = { kind: 'failed', runId, failure, cause: UNHANDLED, isAuto: true } as const;
      return this.failed(failed, eviction.reason, waits.reply);
    }
    const isNew = this.#activation !== 'eviction' && this.#eviction === undefined;
    if (isNew && !KEEPS_QUERIES.has(eviction.reason) && !this.#isLegacyQuery() && this.#task) {
      this.#task.queries = [];
    }
    this.#eviction = eviction;
    return isNew ? this.checkMore() : undefined;
  }

  #process(processing: Processing, page: HistoryUpdate | undefined): Action | undefined {
    const waiting = this.#waiting;
    const isHeartbeat = this.#activation === 'autocomplete' && waiting !== undefined;
    const isProlonged = isHeartbeat || waiting?.isDue === true;
    this.machines.flags.addUsedByLang(processing.usedFlags);
    if (processing.wasEviction) {
      return this.#update(() => {
        this.#conclude(processing, false);
        return undefined;
      });
    }
    try {
      this.#apply(processing, page);
    } catch (thrown: unknown) {
      return this.#break(toMachineError(thrown), processing.reply);
    }
    return this.#update(() => this.#afterApplying(processing, { isHeartbeat, isProlonged }));
  }

  #apply(processing: Processing, page: HistoryUpdate | undefined): void {
    const { machines } = this;
    machines.handleCommands(processing.commands);
    if (page !== undefined) machines.newHistory(page);
    if (!this.#isBroken && !machines.hasJobs()) {
      for (;;) {
        const count = machines.applyNextTask();
        if (count === 0 || !machines.isReplaying || machines.hasJobs()) break;
      }
    }
    this.#sink(machines.takeLocalRequests());
  }

  #afterApplying(
    processing: Processing,
    { isHeartbeat, isProlonged }: { isHeartbeat: boolean; isProlonged: boolean },
  ): Action | undefined {
    this.#waiting?.cancelTimer();
    if (this.machines.localActivities.outstanding() === 0) {
      this.#waiting = undefined;
      this.#conclude(processing, isHeartbeat);
      return undefined;
    }
    const timeoutMs = toMs(this.machines.started?.workflowTaskTimeout);
    if (timeoutMs === undefined) {
      throw fatal("Workflow's start attribs were missing a well formed task timeout");
    }
    if (isProlonged || processing.queryResults.length > 0) {
      this.#waiting = { timeoutMs, cancelTimer: () => undefined, isDue: isProlonged };
      this.#conclude(processing, true);
      return undefined;
    }
    const cancelTimer = this.#startHeartbeat(processing.startedAt, timeoutMs);
    this.#waiting = { timeoutMs, cancelTimer, isDue: false };
    processing.reply?.({ kind: 'nothing' });
    return undefined;
  }

  #startHeartbeat(startedAt: number, timeoutMs: number): Cancel {
    const dueAt = startedAt + timeoutMs * HEARTBEAT_FRACTION;
    return this.#host.after(Math.max(0, dueAt - this.#host.now()), () => {
      this.#host.onHeartbeat(this.runId);
    });
  }

  #conclude(processing: Processing, isHeartbeat: boolean): void {
    processing.reply?.(
      outcomeOf(this.machines, processing, { isHeartbeat, isBroken: this.#isBroken }),
    );
  }

  #sink(requests: LocalRequest[]): void {
    for (const resolution of this.#host.requestLocal(this.machines, requests)) {
      this.#applyLocal(resolution);
    }
  }

  #applyLocal({ seq, runtimeMs, ...resolution }: LocalResolution): void {
    this.machines.resolveLocalActivity(seq, resolution, runtimeMs);
  }

  #isLegacyQuery(): boolean {
    return (
      this.#activation === 'legacyQuery' ||
      (this.#task?.queries ?? []).some(({ queryId }) => queryId === LEGACY_QUERY_ID)
    );
  }

  /** Changes the run, and says what is to be done then. */
  #update(change: () => Action | undefined): Action | undefined {
    try {
      let action = change();
      if (action === undefined && this.hasMoreWork()) action = this.#checkMore();
      action ??= this.#evictIfIdle();
      const isIdle = action === undefined || action.kind === 'autocomplete';
      if (isIdle && !this.hasAnyWork({ ignoresBuffer: true })) {
        const buffered = this.#buffer.next();
        return buffered === undefined ? undefined : this.incomingTask(buffered);
      }
      if (action !== undefined) this.#activation = outstanding(action);
      return action;
    } catch (thrown: unknown) {
      return this.#break(toMachineError(thrown), undefined);
    }
  }

  #evictIfIdle(): Action | undefined {
    if (this.#activation !== undefined || this.hasMoreWork()) return undefined;
    const action = this.#evictActivation();
    if (action !== undefined) action.activation.historyLength = this.machines.lastProcessedEvent;
    return action;
  }

  /** The machines cannot go on: the task fails, and the run is evicted. */
  #break(error: MachineError, reply: Reply | undefined): Action | undefined {
    this.#isBroken = true;
    if (error.kind === 'nondeterminism') this.#host.onNondeterminism(this.machines, error.message);
    if (reply === undefined) {
      // The activation that failed is one that lang never sees.
      this.#activation ??= 'autocomplete';
      return { kind: 'autofail', runId: this.runId, error };
    }
    const failure = applicationFailure(error.message, false);
    return this.failed(
      { kind: 'failed', runId: this.runId, failure, cause: causeOf(error), isAuto: true },
      evictionReasonOf(error),
      reply,
    );
  }
}
