import { setTimeout as delay } from 'node:timers/promises';

import type { ScheduleDescription, ScheduleHandle } from '@temporalio/client';

/** What became of a trigger. */
export interface TriggeredRun {
  /**
   * `started`: `workflowId` is the run. `waiting`: it starts when the open run has ended. `skipped`: a
   * run is open, and the schedule leaves the new one out. `unseen`: the server has not said in time.
   */
  outcome: 'started' | 'waiting' | 'skipped' | 'unseen';
  workflowId?: string;
}

const LOOK_EVERY_MS = 200;
const SEEN_WITHIN_MS = 10_000;

/** Starts a run now, under the rule of the schedule for overlaps, and says what became of it. */
export async function triggerSchedule(handle: ScheduleHandle): Promise<TriggeredRun> {
  const before = await handle.describe();
  // The SDK alone would start it beside an open run, whatever the schedule says.
  await handle.trigger(before.policies.overlap);
  const end = performance.now() + SEEN_WITHIN_MS;
  while (performance.now() < end) {
    const outcome = outcomeOf(before, await handle.describe());
    if (outcome !== undefined) return outcome;
    await delay(LOOK_EVERY_MS);
  }
  return { outcome: 'unseen' };
}

/** A run of the schedule itself may start in the same moment: the newest one counts. */
function outcomeOf(
  before: ScheduleDescription,
  now: ScheduleDescription,
): TriggeredRun | undefined {
  const known = new Set(runIds(before));
  const started = now.info.recentActions.filter(
    ({ action }) => !known.has(action.workflow.firstExecutionRunId),
  );
  const workflowId = started.at(-1)?.action.workflow.workflowId;
  if (workflowId !== undefined) return { outcome: 'started', workflowId };
  if (now.info.numActionsSkippedOverlap > before.info.numActionsSkippedOverlap) {
    return { outcome: 'skipped' };
  }
  return waiting(now) > waiting(before) ? { outcome: 'waiting' } : undefined;
}

function runIds({ info }: ScheduleDescription): string[] {
  return info.recentActions.map(({ action }) => action.workflow.firstExecutionRunId);
}

function waiting({ raw }: ScheduleDescription): number {
  return raw.info?.bufferSize?.toNumber() ?? 0;
}
