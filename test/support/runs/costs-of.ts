import type { WorkflowHandle } from '@temporalio/client';

/** What a run has cost: each event is storage, each activity a task and nearly always a request. */
export interface Costs {
  events: number;
  /** Names in the order in which they were scheduled. */
  activities: string[];
}

export async function costsOf(run: WorkflowHandle): Promise<Costs> {
  const { events } = await run.fetchHistory();
  const all = events ?? [];
  return {
    events: all.length,
    activities: all.flatMap(
      ({ activityTaskScheduledEventAttributes: scheduled }) => scheduled?.activityType?.name ?? [],
    ),
  };
}
