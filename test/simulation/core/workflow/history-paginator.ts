import { CallError, UNKNOWN } from '../client/call-error.js';
import type { WorkerCalls } from '../client/worker-calls.js';
import { or, toNumber, type HistoryEvent, type WorkflowTask } from '../messages.js';
import { idOf } from './history-events.js';
import { HistoryUpdate, type TaskPlace } from './history-update.js';

/** Where the next page of the history is. */
type NextPage = { kind: 'start' } | { kind: 'token'; token: Uint8Array } | { kind: 'done' };

/** Gets the history of a run, page by page, as much of it as is needed. */
export class HistoryPaginator {
  readonly runId: string;
  readonly place: TaskPlace;
  readonly #workflowId: string;
  readonly #calls: WorkerCalls;
  #queue: HistoryEvent[];
  #next: NextPage;
  /** Events that the task brought, to be added behind those that are fetched from the start. */
  #finalEvents: HistoryEvent[];
  #lastExtracted: number;

  /** @param again the paginator of the same task, whose history is to be fetched from its start */
  constructor(task: WorkflowTask, calls: WorkerCalls, again?: HistoryPaginator) {
    const events = or(task.history?.events, []);
    this.#calls = calls;
    this.#workflowId = or(task.workflowExecution?.workflowId, '');
    this.runId = or(task.workflowExecution?.runId, '');
    this.place = {
      previousStartedId: toNumber(task.previousStartedEventId),
      startedId: toNumber(task.startedEventId),
    };
    this.#lastExtracted = again === undefined ? 0 : again.#lastExtracted;
    const fetchesAll = again !== undefined || events.length === 0;
    this.#next = fetchesAll ? { kind: 'start' } : pageAfter(task.nextPageToken);
    this.#queue = fetchesAll ? [] : [...events];
    this.#finalEvents = fetchesAll ? [...events] : [];
  }

  /** Whether the next update needs no call. */
  get isBuffered(): boolean {
    return this.#next.kind === 'done';
  }

  /**
   * At least the next two workflow tasks, since replay looks ahead by one, or all that there is.
   * @throws CallError where the server has less than it said
   */
  async extract(): Promise<HistoryUpdate> {
    for (;;) {
      if (!this.isBuffered) await this.#fetchPage();
      const update = this.#tryExtract();
      if (update !== undefined) return update;
    }
  }

  /** As {@link extract}, for a history that is here as a whole. */
  extractBuffered(): HistoryUpdate {
    const update = this.#tryExtract();
    if (update === undefined) throw new CallError(UNKNOWN, 'Fetched empty history page');
    return update;
  }

  /** For a task that brings no history, since it is about what is known. */
  emptyUpdate(): HistoryUpdate {
    return HistoryUpdate.of([], this.place, true)[0];
  }

  #tryExtract(): HistoryUpdate | undefined {
    const events = this.#queue;
    this.#queue = [];
    const hasEnough = lastId(events) >= this.place.startedId;
    if (events.length === 0 && this.isBuffered && this.#lastExtracted >= this.place.startedId) {
      return this.emptyUpdate();
    }
    if (events.length === 0 || (this.isBuffered && !hasEnough)) {
      throw new CallError(UNKNOWN, 'Fetched empty history page');
    }
    return this.#divide(events, this.isBuffered && hasEnough);
  }

  /** The whole tasks of these events. What is behind them stays for later. */
  #divide(events: HistoryEvent[], isAll: boolean): HistoryUpdate | undefined {
    const [first] = events;
    const [update, rest] = HistoryUpdate.of(events, this.place, isAll);
    if (!this.isBuffered && update.taskCount < 2) {
      this.#queue = [...update.events, ...rest];
      return undefined;
    }
    this.#queue = rest;
    if (!isAll && first !== undefined && rest[0] === first) return undefined;
    if (update.events.length > 0) this.#lastExtracted = lastId(update.events);
    return update;
  }

  async #fetchPage(): Promise<void> {
    for (;;) {
      const token = this.#next.kind === 'token' ? this.#next.token : new Uint8Array();
      const answer = await this.#calls.history(this.#workflowId, this.runId, token);
      this.#next = pageAfter(answer.nextPageToken);
      const events = answer.history?.events ?? [];
      if (events.length === 0 && !this.isBuffered) continue;
      this.#append(events);
      if (this.isBuffered) this.#append(this.#finalEvents.splice(0));
      return;
    }
  }

  /** Adds what is not there yet. */
  #append(events: HistoryEvent[]): void {
    const before = lastId(this.#queue);
    const from = events.findIndex((event) => idOf(event) > before);
    if (from !== -1) this.#queue.push(...events.slice(from));
  }
}

function pageAfter(token: Uint8Array | null | undefined): NextPage {
  return token && token.length > 0 ? { kind: 'token', token } : { kind: 'done' };
}

function lastId(events: readonly HistoryEvent[]): number {
  const last = events.at(-1);
  return last === undefined ? 0 : idOf(last);
}
