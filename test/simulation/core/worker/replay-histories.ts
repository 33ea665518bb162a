import proto from '@temporalio/proto';
import type { temporal } from '@temporalio/proto';

import type { Link, RpcCall } from '../link.js';
import type { HistoryEvent, WorkflowTask } from '../messages.js';

const { EventType, TaskQueueKind } = proto.temporal.api.enums.v1;

type History = temporal.api.history.v1.IHistory;

/** In the place of a server: gives out stored histories, one after the other, each as one workflow task. */
export class ReplayHistories {
  readonly type = 'history-pusher';
  readonly link: Link;
  /** Told when there is no other history. */
  onEnd: () => void = () => undefined;
  readonly #tasks: WorkflowTask[] = [];
  #poll: ((task: WorkflowTask) => void) | undefined;
  #isClosed = false;
  /** Histories that may be given out before one that is out has been replayed. */
  #allowed = 1;

  constructor() {
    this.link = { call: (call) => this.#answer(call) };
  }

  push(workflowId: string, history: History): void {
    this.#tasks.push(toTask(workflowId, history.events ?? []));
    this.#give();
  }

  close(): void {
    this.#isClosed = true;
    this.#give();
  }

  /** A history has been replayed, or cannot be. */
  allowNext(): void {
    this.#allowed += 1;
    this.#give();
  }

  #answer({ rpc, request }: RpcCall): Promise<object> {
    if (rpc === 'RespondWorkflowTaskFailed') this.allowNext();
    if (rpc !== 'PollWorkflowTaskQueue') return Promise.resolve({});
    return new Promise((resolve) => {
      if (isSticky(request)) return;
      this.#poll = resolve;
      this.#give();
    });
  }

  #give(): void {
    if (this.#poll === undefined || this.#allowed === 0) return;
    const task = this.#tasks.shift();
    if (task === undefined && !this.#isClosed) return;
    const poll = this.#poll;
    this.#poll = undefined;
    this.#allowed -= 1;
    if (task === undefined) this.onEnd();
    poll(task ?? {});
  }
}

function isSticky(request: object): boolean {
  const queue: unknown = Reflect.get(request, 'taskQueue');
  return (
    typeof queue === 'object' &&
    queue !== null &&
    Reflect.get(queue, 'kind') === TaskQueueKind.TASK_QUEUE_KIND_STICKY
  );
}

/** The last workflow task counts as done: a stored history is replayed as a whole. */
function toTask(workflowId: string, events: HistoryEvent[]): WorkflowTask {
  const attributes = events[0]?.workflowExecutionStartedEventAttributes ?? {};
  const started = events.filter(
    (event, index) =>
      event.eventType === EventType.EVENT_TYPE_WORKFLOW_TASK_STARTED && counts(events[index + 1]),
  );
  const last = started.at(-1);
  const isOpen = last !== undefined && last === events.at(-1);
  const previous = isOpen ? started.at(-2) : last;
  return {
    taskToken: Buffer.from(`replay of ${workflowId}`),
    workflowExecution: { workflowId, runId: attributes.originalExecutionRunId ?? '' },
    workflowType: attributes.workflowType ?? {},
    previousStartedEventId: previous?.eventId ?? null,
    startedEventId: last?.eventId ?? null,
    attempt: 0,
    history: { events },
    workflowExecutionTaskQueue: attributes.taskQueue ?? {},
  };
}

function counts(next: HistoryEvent | undefined): boolean {
  return next === undefined || next.eventType === EventType.EVENT_TYPE_WORKFLOW_TASK_COMPLETED;
}
