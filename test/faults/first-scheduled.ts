import type { WorkflowHandle } from '@temporalio/client';

/** An activity that a run has scheduled. */
export interface Scheduled {
  queue: unknown;
  /** Milliseconds since the epoch. NaN if no activity was found. */
  atMs: number;
}

/** The first activity that the run scheduled, or the first with this name. */
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
