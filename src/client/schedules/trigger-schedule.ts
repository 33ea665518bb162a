import { randomInt, randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';

import type { Client, ScheduleDescription } from '@temporalio/client';
import proto from '@temporalio/proto';

const { Timestamp } = proto.google.protobuf;

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

/**
 * Starts a run now, under the rule of the schedule for overlaps, and says what became of it. Others may be started in the
 * same moment: the trigger knows its own by the time that it has named.
 */
export async function triggerSchedule(client: Client, scheduleId: string): Promise<TriggeredRun> {
  const handle = client.schedule.getHandle(scheduleId);
  const before = await handle.describe();
  const time = await freeTime(before);
  await sendTrigger(client, before, time);
  const end = performance.now() + SEEN_WITHIN_MS;
  while (performance.now() < end) {
    const outcome = outcomeOf(before, await handle.describe(), time);
    if (outcome !== undefined) return outcome;
    await delay(LOOK_EVERY_MS);
  }
  return { outcome: 'unseen' };
}

interface Time {
  /** The Workflow Id has them. */
  seconds: number;
  /** What is below a millisecond is by chance. */
  nanos: number;
}

/** A time by whose second neither a run was started nor one is due. */
async function freeTime({ raw, info }: ScheduleDescription): Promise<Time> {
  const started = raw.info?.recentActions?.map(({ scheduleTime }) => secondsOf(scheduleTime)) ?? [];
  const due = info.nextActionTimes.map((at) => Math.floor(at.getTime() / 1_000));
  const taken = new Set([...started, ...due]);
  for (;;) {
    const now = Date.now();
    const seconds = Math.floor(now / 1_000);
    if (!taken.has(seconds))
      return { seconds, nanos: Math.floor(now % 1_000) * 1e6 + randomInt(1e6) };
    await delay(LOOK_EVERY_MS);
  }
}

/** The handle of the SDK names no time, and would start it beside an open run, whatever the schedule says. */
async function sendTrigger(
  { workflowService, options: { namespace, identity } }: Client,
  { scheduleId, raw }: ScheduleDescription,
  time: Time,
): Promise<void> {
  const { overlapPolicy = null } = raw.schedule?.policies ?? {};
  await workflowService.patchSchedule({
    ...{ namespace, identity, scheduleId, requestId: randomUUID() },
    patch: { triggerImmediately: { overlapPolicy, scheduledTime: Timestamp.fromObject(time) } },
  });
}

function outcomeOf(
  before: ScheduleDescription,
  now: ScheduleDescription,
  { seconds, nanos }: Time,
): TriggeredRun | undefined {
  const own = now.raw.info?.recentActions?.find(
    ({ scheduleTime }) => secondsOf(scheduleTime) === seconds && scheduleTime?.nanos === nanos,
  );
  const workflowId = own?.startWorkflowResult?.workflowId;
  if (workflowId) return { outcome: 'started', workflowId };
  if (now.info.numActionsSkippedOverlap > before.info.numActionsSkippedOverlap) {
    return { outcome: 'skipped' };
  }
  // A server may show as waiting what it is just starting.
  const isOpen = now.info.runningActions.length > 0;
  return isOpen && waiting(now) > waiting(before) ? { outcome: 'waiting' } : undefined;
}

type Shown = { seconds?: { toNumber: () => number } | null } | null | undefined;

function secondsOf(time: Shown): number | undefined {
  return time?.seconds?.toNumber();
}

function waiting({ raw }: ScheduleDescription): number {
  return raw.info?.bufferSize?.toNumber() ?? 0;
}
