import proto from '@temporalio/proto';

import { toNumber, type HistoryEvent } from '../messages.js';
import { idOf, isCommandEvent, isFinalEvent, type CompletedAttributes } from './history-events.js';

const { EventType } = proto.temporal.api.enums.v1;

/** Where the events of the next workflow task end. */
interface End {
  index: number;
  isComplete: boolean;
}

export type NextTask =
  | { kind: 'replayOver' }
  | { kind: 'needFetch' }
  | { kind: 'task'; events: HistoryEvent[]; isLast: boolean };

/** What a task of the server says of the place in the history where it is. */
export interface TaskPlace {
  readonly previousStartedId: number;
  readonly startedId: number;
}

/** Events of one or more whole workflow tasks. They are taken from it task by task. */
export class HistoryUpdate {
  events: HistoryEvent[];
  readonly place: TaskPlace;
  readonly hasLastTask: boolean;
  readonly taskCount: number;
  readonly lastEventId: number;

  constructor(
    events: HistoryEvent[],
    place: TaskPlace,
    whole: { hasLastTask: boolean; taskCount: number },
  ) {
    this.events = events;
    this.place = place;
    this.hasLastTask = whole.hasLastTask;
    this.taskCount = whole.taskCount;
    const last = events.at(-1);
    this.lastEventId = last === undefined ? 0 : idOf(last);
  }

  /** The update, and the events behind its last whole task. */
  static of(
    events: HistoryEvent[],
    place: TaskPlace,
    hasLastTask: boolean,
  ): [HistoryUpdate, HistoryEvent[]] {
    let end = findEnd(events, { fromId: place.previousStartedId }, hasLastTask);
    if (!end.isComplete) {
      return hasLastTask
        ? [new HistoryUpdate(events, place, { hasLastTask, taskCount: 1 }), []]
        : [new HistoryUpdate([], place, { hasLastTask, taskCount: 0 }), events];
    }
    let taskCount = 0;
    for (;;) {
      taskCount += 1;
      const last = events[end.index];
      if (last === undefined) break;
      const next = findEnd(events, { fromId: idOf(last), begin: end.index }, hasLastTask);
      if (!next.isComplete) break;
      end = next;
    }
    const rest = hasLastTask ? [] : events.splice(end.index + 1);
    return [new HistoryUpdate(events, place, { hasLastTask, taskCount }), rest];
  }

  firstEventId(): number | undefined {
    const [first] = this.events;
    return first === undefined ? undefined : idOf(first);
  }

  takeNext(fromStartedId: number): NextTask {
    this.events.splice(0, this.#skipped(fromStartedId));
    const end = findEnd(this.events, { fromId: fromStartedId }, this.hasLastTask);
    if (!end.isComplete && !this.hasLastTask) return { kind: 'needFetch' };
    if (!end.isComplete && end.index === 0) return { kind: 'replayOver' };
    const events = this.events.splice(0, end.index + 1);
    return { kind: 'task', events, isLast: this.events.length === 0 && this.hasLastTask };
  }

  /** The events that are taken next. They stay. */
  peekNext(fromStartedId: number): HistoryEvent[] {
    const events = this.events.slice(this.#skipped(fromStartedId));
    if (events.length === 0) return events;
    return events.slice(0, findEnd(events, { fromId: fromStartedId }, this.hasLastTask).index + 1);
  }

  canTakeNext(fromStartedId: number): boolean {
    return this.hasLastTask || findEnd(this.events, { fromId: fromStartedId }, false).isComplete;
  }

  /** The completion of the next workflow task at or behind this event. */
  peekNextCompleted(fromId: number): CompletedAttributes | undefined {
    for (const event of this.events) {
      const completed = event.workflowTaskCompletedEventAttributes;
      if (completed && idOf(event) >= fromId) return completed;
    }
    return undefined;
  }

  #skipped(fromStartedId: number): number {
    const index = this.events.findIndex((event) => idOf(event) > fromStartedId);
    return index === -1 ? 0 : index;
  }
}

/** What ends a run or a task without that anything of the task counts. */
const UNDONE: ReadonlySet<number> = new Set([
  EventType.EVENT_TYPE_WORKFLOW_TASK_FAILED,
  EventType.EVENT_TYPE_WORKFLOW_TASK_TIMED_OUT,
  EventType.EVENT_TYPE_WORKFLOW_EXECUTION_TIMED_OUT,
  EventType.EVENT_TYPE_WORKFLOW_EXECUTION_TERMINATED,
  EventType.EVENT_TYPE_WORKFLOW_EXECUTION_CANCELED,
]);

interface Scan {
  sawCommand: boolean;
  sawCommandOrStarted: boolean;
  /** Workflow tasks that were started and not undone: their event and their place. */
  started: { id: number; index: number }[];
}

/** How core divides a history into workflow tasks: a task that failed, or that was only a heartbeat, ends nothing. */
function findEnd(
  events: HistoryEvent[],
  { fromId, begin = 0 }: { fromId: number; begin?: number },
  hasLastTask: boolean,
): End {
  const scan: Scan = { sawCommand: false, sawCommandOrStarted: false, started: [] };
  for (let index = begin; index < events.length; index += 1) {
    const event = events[index];
    const id = event === undefined ? 0 : idOf(event);
    if (event === undefined || id <= fromId) continue;
    if (isCommandEvent(event)) {
      scan.sawCommand = true;
      scan.sawCommandOrStarted = true;
    }
    if (event.eventType === EventType.EVENT_TYPE_WORKFLOW_EXECUTION_STARTED) {
      scan.sawCommandOrStarted = true;
    }
    if (isFinalEvent(event)) return { index, isComplete: true };
    if (event.eventType !== EventType.EVENT_TYPE_WORKFLOW_TASK_STARTED) continue;
    scan.started.push({ id, index });
    const end = endAtStarted(scan, { events, index, hasLastTask });
    if (end !== undefined) return { index: end, isComplete: true };
  }
  return { index: Math.max(0, events.length - 1), isComplete: false };
}

interface At {
  events: HistoryEvent[];
  index: number;
  hasLastTask: boolean;
}

function endAtStarted(scan: Scan, { events, index, hasLastTask }: At): number | undefined {
  const needsMore = !hasLastTask && !scan.sawCommandOrStarted;
  const next = events[index + 1];
  if (next === undefined) return scan.sawCommandOrStarted && !needsMore ? index : undefined;
  if (UNDONE.has(next.eventType ?? 0)) {
    scan.started.pop();
    return undefined;
  }
  if (next.eventType === EventType.EVENT_TYPE_WORKFLOW_TASK_COMPLETED) {
    const second = events[index + 2];
    if (second !== undefined) return endAtCompleted(scan, second, index);
    if (needsMore) return undefined;
  }
  return scan.sawCommandOrStarted ? index : undefined;
}

/** @param second the event behind the completion of the task */
function endAtCompleted(scan: Scan, second: HistoryEvent, index: number): number | undefined {
  const isScheduled = second.eventType === EventType.EVENT_TYPE_WORKFLOW_TASK_SCHEDULED;
  if (!scan.sawCommand && isScheduled) return undefined;
  const accepted = second.workflowExecutionUpdateAcceptedEventAttributes;
  if (accepted) {
    // The update was sequenced in this task or in one before it: that is where it is to be handled again.
    const sequencedAt = toNumber(accepted.acceptedRequestSequencingEventId);
    const task = scan.started.findLast(({ id }) => id < sequencedAt);
    if (task !== undefined) return task.index;
  }
  return index;
}
