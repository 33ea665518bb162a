import { setTimeout as delay } from 'node:timers/promises';

import type { WorkflowHandle } from '@temporalio/client';

import { until } from '../../support/timing/until.js';

type Event = NonNullable<Awaited<ReturnType<WorkflowHandle['fetchHistory']>>['events']>[number];

/** Begins a look: its timer, or the activity that takes the place of a timer. */
export const Mark = {
  timer: (event: Event) => Boolean(event.timerStartedEventAttributes),
  /** The timer of a blocked run, not that of a pause. */
  probe: ({ timerStartedEventAttributes, userMetadata }: Event) =>
    Boolean(timerStartedEventAttributes) &&
    Buffer.from(userMetadata?.summary?.data ?? []).includes('blocked as'),
  activity: (name: string) => (event: Event) =>
    event.activityTaskScheduledEventAttributes?.activityType?.name === name,
  update: (event: Event) => Boolean(event.workflowExecutionUpdateAcceptedEventAttributes),
  child: (event: Event) => Boolean(event.startChildWorkflowExecutionInitiatedEventAttributes),
} as const;

/** The first look differs: the run begins, a fault is found. */
const FIRST = 1;

interface Looks {
  /** Runs side by side that look at the same time. */
  atOnce?: number;
  counted?: number;
  /** Takes the cheapest look: what goes on beside it is timed by the clock, so a stalled machine adds to it. */
  cheapest?: boolean;
}

/** Events of all runs side by side in one look, measured over some looks of a real run. */
async function eventsOfLook(
  run: WorkflowHandle,
  isMark: (event: Event) => boolean,
  { atOnce = 1, counted = 2, cheapest = false }: Looks = {},
): Promise<number> {
  let marks: number[] = [];
  await until('the run has looked often enough', async () => {
    // Many runs are measured side by side, and a history is large.
    await delay(200);
    const { events } = await run.fetchHistory();
    marks = (events ?? []).filter(isMark).map(({ eventId }) => Number(eventId));
    return marks.length > (FIRST + counted) * atOnce;
  });
  const begins = Array.from(
    { length: counted + 1 },
    (_, look) => marks[(FIRST + look) * atOnce] ?? 0,
  );
  const costs = begins.slice(1).map((end, look) => end - (begins[look] ?? 0));
  return cheapest ? Math.min(...costs) : costs.reduce((sum, cost) => sum + cost) / counted;
}

/** Events of one look of a run, which is terminated then. */
export async function measured(
  run: WorkflowHandle,
  ...args: [Parameters<typeof eventsOfLook>[1], Parameters<typeof eventsOfLook>[2]?]
): Promise<number> {
  const events = await eventsOfLook(run, ...args);
  await run.terminate();
  return events;
}

/** Events of a run while the API, or a person, lets it wait: none, however long it takes. */
export async function standing(run: WorkflowHandle, wait: () => Promise<void>): Promise<number> {
  const length = async () => (await run.describe()).historyLength;
  const before = await length();
  await wait();
  const events = (await length()) - before;
  await run.terminate();
  return events;
}
