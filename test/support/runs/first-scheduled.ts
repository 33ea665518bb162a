import type { WorkflowHandle } from '@temporalio/client';

/** An activity as the run put it into a queue. */
export interface Scheduled {
  queue: unknown;
  /** In milliseconds since the epoch; NaN where there is none. */
  atMs: number;
}

/** The first activity of the run, or its first one of this name. */
export async function firstScheduled(run: WorkflowHandle, name?: string): Promise<Scheduled> {
  const { events } = await run.fetchHistory();
  const first = events?.find(
    ({ activityTaskScheduledEventAttributes: scheduled }) =>
      scheduled && (name === undefined || scheduled.activityType?.name === name),
  );
  const { seconds, nanos } = first?.eventTime ?? {};
  return {
    queue: first?.activityTaskScheduledEventAttributes?.taskQueue?.name,
    atMs: Number(seconds) * 1_000 + Number(nanos) / 1e6,
  };
}
