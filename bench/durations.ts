/**
 * `npm run bench:durations`: events and requests of one run whose create task takes 30 s, 5 min and
 * 2 h, with a watcher, with timers only, and with the usual timer loop of three seconds. Two hours
 * pass in ten minutes (`-- 1` for real time); two more rows show how far such a speed distorts.
 */
import { measureDuration, WAYS, type Duration, type Way } from './measure-duration.js';
import type { RunFigures } from './measure-run.js';
import { withTemporal } from './with-temporal.js';

const FAST = Number(process.argv[2] ?? 12);
const TWO_HOURS: Duration = { taskSeconds: 7_200, speed: FAST };
const FIVE_MINUTES: Duration = { taskSeconds: 300, speed: 1 };
/** Side by side; within a lane one after the other, so that short ones are not disturbed. */
const LANES: readonly (readonly Duration[])[] = [
  [TWO_HOURS],
  [FIVE_MINUTES],
  [
    { taskSeconds: 30, speed: 1 },
    { taskSeconds: 30, speed: FAST },
    { taskSeconds: 300, speed: FAST },
  ],
];

/** Events of a task of two hours. */
const MAX_EVENTS = { watcher: 120, timers: 700 } as const;

interface Row extends RunFigures {
  duration: Duration;
  way: Way;
}

async function measureLane(lane: readonly Duration[]): Promise<Row[]> {
  const rows: Row[] = [];
  for (const duration of lane) {
    const ofWays = WAYS.map(async (way) => ({
      duration,
      way,
      ...(await measureDuration(duration, way)),
    }));
    rows.push(...(await Promise.all(ofWays)));
  }
  return rows;
}

function toLine(row: Row, naive: Row | undefined): string {
  const share = (of: 'events' | 'requests'): string =>
    `1/${((naive?.[of] ?? Number.NaN) / row[of]).toFixed(1)}`;
  return [
    `${row.duration.taskSeconds} s`,
    `${row.duration.speed}x`,
    row.way,
    row.events,
    share('events'),
    Math.round(row.historyBytes / 1024),
    row.requests,
    share('requests'),
    row.noticedAfterSeconds.toFixed(1),
    (row.duration.taskSeconds / row.taskReads).toFixed(1),
  ].join('\t');
}

function toVerdict({ way, events, eventTypes }: Row): string[] {
  if (way === 'naive') return [];
  const most = MAX_EVENTS[way];
  if (events <= most) return [`2 h, ${way}: ${events} events, at most ${most} wanted: kept`];
  const types = [...eventTypes].map(([type, count]) => `  ${type}: ${count}`);
  return [`2 h, ${way}: ${events} events, at most ${most} wanted: EXCEEDED`, ...types];
}

/** A timer, an activity and the workflow tasks after each. */
const EVENTS_A_READ = 11;

/** What the loop would have done in two hours at the pace that it had in real time. */
function toTruePace({ duration, events, requests, taskReads }: Row): string {
  const more = taskReads * (TWO_HOURS.taskSeconds / duration.taskSeconds - 1);
  return `2 h, naive, extrapolated from its 5 min in real time: ${events + more * EVENTS_A_READ} events, ${requests + more} requests`;
}

const NOTES = `speed: simulator and poll policy run so many times faster; seconds are multiplied back.
Not scaled: round trips and the lateness of timers (20 to 50 ms), so that fast loops look more seldom
than they would (last column); heartbeats; and limits of an hour or more: in real time the watching
activity ends after an hour and the server repeats it, which adds no event to the history.`;

await withTemporal({ exactTimers: true }, async () => {
  const rows = (await Promise.all(LANES.map(measureLane))).flat();
  const naiveOf = (row: Row): Row | undefined =>
    rows.find(({ duration, way }) => duration === row.duration && way === 'naive');
  const lines = [
    'task\tspeed\tway\tevents\tof naive\tKiB\trequests\tof naive\tnoticed after s\ts a read',
    ...rows.map((row) => toLine(row, naiveOf(row))),
    ...rows.filter(({ duration }) => duration === TWO_HOURS).flatMap(toVerdict),
    ...rows
      .filter(({ duration, way }) => duration === FIVE_MINUTES && way === 'naive')
      .map(toTruePace),
    NOTES,
  ];
  process.stdout.write(`${lines.join('\n')}\n`);
});
