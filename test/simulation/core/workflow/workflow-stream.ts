import type { LocalResolution } from '../activity/local-activities.js';
import type { HistoryPaginator } from './history-paginator.js';
import type { HistoryUpdate } from './history-update.js';
import type { Eviction, NeedsPage, Reply, RunHost } from './run-parts.js';
import { RunCache } from './run-cache.js';
import type { Action, Completion } from './run-completion.js';
import { EvictionReasons, isIncremental, type PreparedTask } from './tasks.js';

/** What is to happen outside of the stream. */
export interface StreamHost extends RunHost {
  onAction(action: Action): void;
  /** A task came in part for a run that is not cached: it needs the history from its start. */
  refetch(task: PreparedTask): void;
  fetchPage(runId: string, paginator: HistoryPaginator): void;
  onChange(): void;
}

export interface PostActivation {
  runId: string;
  isAuto: boolean;
  /** The server has heard of the end of the task, or the task is dropped. */
  status: 'reported' | 'notReported' | 'dropped';
  resetTo: number | undefined;
  /** The server gave the next task with the answer. It still lacks a slot. */
  nextTask: ((permit: PreparedTask['permit']) => PreparedTask) | undefined;
}

/** All runs of a worker. Whatever changes them comes through here, one thing after the other. */
export class WorkflowStream {
  readonly #host: StreamHost;
  readonly #cache: RunCache;
  /** Tasks that need room in the cache, by run. */
  readonly #needRoom: PreparedTask[][] = [];
  readonly #inputs: (() => void)[] = [];
  #isBusy = false;

  constructor(host: StreamHost) {
    this.#host = host;
    this.#cache = new RunCache(host);
  }

  newTask(task: PreparedTask): void {
    this.#input(() => {
      this.#act(this.#instantiateOrUpdate(task));
    });
  }

  complete(completion: Completion, reply: Reply | undefined): void {
    this.#input(() => {
      const run = this.#cache.use(completion.runId);
      if (run === undefined) {
        reply?.({ kind: 'nothing' });
        return;
      }
      const reason =
        completion.kind === 'failed' && completion.isAuto
          ? EvictionReasons.UNSPECIFIED
          : EvictionReasons.LANG_FAIL;
      const next =
        completion.kind === 'success'
          ? run.succeeded(completion, reply)
          : run.failed(completion, reason, reply);
      this.#act(next, completion.runId);
      this.#dropUncached();
    });
  }

  pageFetched(runId: string, update: HistoryUpdate, paginator: HistoryPaginator): void {
    this.#input(() => {
      this.#act(this.#cache.use(runId)?.pageFetched(update, paginator));
      this.#dropUncached();
    });
  }

  postActivation(report: PostActivation): void {
    this.#input(() => {
      this.#act(this.#afterActivation(report));
    });
  }

  localResolution(runId: string, resolution: LocalResolution): void {
    this.#input(() => {
      this.#act(this.#cache.use(runId)?.localResolution(resolution));
    });
  }

  heartbeatTimeout(runId: string): void {
    this.#input(() => {
      this.#act(this.#cache.use(runId)?.heartbeatTimeout());
    });
  }

  /** False where the run is not cached. */
  evict(runId: string, eviction: Eviction): boolean {
    if (!this.#cache.has(runId)) return false;
    this.#input(() => {
      this.#act(this.#cache.use(runId)?.requestEviction(eviction));
    });
    return true;
  }

  isReplaying(runId: string): boolean {
    return this.#cache.peek(runId)?.machines.isReplaying ?? false;
  }

  runIds(): string[] {
    return this.#cache.all().map(({ runId }) => runId);
  }

  hasWork(): boolean {
    return this.#cache.all().some((run) => run.hasAnyWork({ ignoresBuffer: false }));
  }

  /** Nothing else comes in between. */
  #input(act: () => void): void {
    this.#inputs.push(act);
    if (this.#isBusy) return;
    this.#isBusy = true;
    try {
      for (;;) {
        const next = this.#inputs.shift();
        if (next === undefined) break;
        next();
        this.#makeRoom();
      }
    } finally {
      this.#isBusy = false;
    }
    this.#host.onChange();
  }

  #act(next: Action | NeedsPage | undefined, runId = ''): void {
    if (next === undefined) return;
    if (next.kind === 'needsPage') this.#host.fetchPage(runId, next.paginator);
    else this.#host.onAction(next);
  }

  #instantiateOrUpdate(given: PreparedTask): Action | undefined {
    const cached = this.#cache.use(given.runId);
    const task = cached === undefined ? given : cached.bufferIfBusy(given);
    if (task === undefined) return undefined;
    if (cached !== undefined) return cached.incomingTask(task);
    if (this.#cache.isFull) {
      this.#waitForRoom(task);
      return undefined;
    }
    if (isIncremental(task)) {
      this.#host.refetch(task);
      return undefined;
    }
    return this.#cache.add(task).incomingTask(task);
  }

  #waitForRoom(task: PreparedTask): void {
    const others = this.#needRoom.find(([first]) => first?.runId === task.runId);
    if (others === undefined) this.#needRoom.push([task]);
    else others.push(task);
  }

  /** As many runs go as there are tasks that need their room. */
  #makeRoom(): void {
    const runs = this.#cache.all();
    const going = runs.filter(({ eviction }) => eviction !== undefined).length;
    let missing = Math.max(0, this.#needRoom.length - going);
    for (const run of runs) {
      if (missing === 0) return;
      if (run.hasBuffered) continue;
      missing -= 1;
      this.#act(run.requestEviction(CACHE_FULL));
    }
  }

  #dropUncached(): void {
    if (this.#host.maxCached > 0) return;
    const run = this.#cache.leastRecent();
    if (run === undefined || run.waitsForLocal || run.hasMoreWork()) return;
    this.#act(run.requestEviction(CACHE_FULL));
  }

  #afterActivation(report: PostActivation): Action | undefined {
    const run = this.#cache.use(report.runId);
    if (run === undefined) return undefined;
    const next = this.#endTask(run, report);
    const { isEvicted, buffered } = run.finishActivation(report.isAuto);
    if (isEvicted) this.#cache.remove(report.runId);
    const ready = this.#ready({ isEvicted, buffered, next });
    let action: Action | undefined;
    const first = ready.pop();
    if (first !== undefined) action = this.#instantiateOrUpdate(first);
    for (const task of ready) this.#instantiateOrUpdate(task);
    const still = this.#cache.use(report.runId);
    if (action !== undefined || still === undefined) return action;
    action = still.checkMore();
    if (action === undefined && still.machines.isFinished && report.status === 'reported') {
      return still.requestEviction(ENDED);
    }
    return action;
  }

  /** Gives up the workflow task that has been answered. The next one takes over its slot. */
  #endTask(
    run: ReturnType<RunCache['add']>,
    { status, resetTo, nextTask }: PostActivation,
  ): PreparedTask | undefined {
    const isOver = status !== 'notReported' || run.machines.hasSeenEnd;
    if (!isOver || run.hasPendingQueries) return undefined;
    const held = run.completeTask(status === 'reported', resetTo);
    if (held === undefined) return undefined;
    const { permit } = held.prepared;
    if (nextTask === undefined) permit.release();
    return nextTask?.(permit);
  }

  #ready(after: {
    isEvicted: boolean;
    buffered: PreparedTask[];
    next: PreparedTask | undefined;
  }): PreparedTask[] {
    const { isEvicted, buffered, next } = after;
    if (buffered.length > 0) {
      next?.permit.release();
      return buffered;
    }
    if (next !== undefined) return [next];
    return isEvicted ? (this.#needRoom.shift() ?? []) : [];
  }
}

const CACHE_FULL: Eviction = { message: 'Workflow cache full', reason: EvictionReasons.CACHE_FULL };
const ENDED: Eviction = {
  message: 'Workflow completed',
  reason: EvictionReasons.WORKFLOW_EXECUTION_ENDING,
};
