import type { WorkflowHandle } from '@temporalio/client';
import proto from '@temporalio/proto';

import type { Simulator } from '../src/simulator/index.js';

/** The cost of one run, and how late it noticed the end of its task. */
export interface RunFigures {
  events: number;
  /** Events by type, such as `TIMER_FIRED`. */
  eventTypes: ReadonlyMap<string, number>;
  historyBytes: number;
  requests: number;
  taskReads: number;
  /** From the end of the task to the request that saw it. */
  noticedAfterSeconds: number;
  seconds: number;
}

/** Waits for the run, then counts. The simulator must have served only this run. */
export async function measureRun(run: WorkflowHandle, simulator: Simulator): Promise<RunFigures> {
  const startedAt = Date.now();
  await run.result();
  const endedAt = Date.now();
  const { events } = await run.fetchHistory();
  const description = await run.describe();
  const taskReads = simulator.requests.filter(({ path }) => path.startsWith('/cloud/v1/tasks/'));
  const taskEnds = simulator.snapshot().tasks.map((task) => task.endsAt);
  const lastRead = taskReads.at(-1)?.at ?? Number.NaN;
  return {
    events: events?.length ?? 0,
    eventTypes: countBy(events ?? [], typeOf),
    historyBytes: description.historySize ?? 0,
    requests: simulator.requests.length,
    taskReads: taskReads.length,
    noticedAfterSeconds: (lastRead - Math.max(...taskEnds)) / 1000,
    seconds: (endedAt - startedAt) / 1000,
  };
}

/** Counts the items by key. */
export function countBy<T>(items: readonly T[], keyOf: (item: T) => string): Map<string, number> {
  const counts = new Map<string, number>();
  for (const key of items.map(keyOf)) counts.set(key, (counts.get(key) ?? 0) + 1);
  return counts;
}

const { EventType } = proto.temporal.api.enums.v1;

export function typeOf({ eventType }: proto.temporal.api.history.v1.IHistoryEvent): string {
  return (EventType[eventType ?? 0] ?? '').replace('EVENT_TYPE_', '');
}
