/**
 * `npm run bench:durations [-- SPEED]`: events and requests of one run whose create task takes 30 s,
 * 5 min and 2 h: with a watcher, with timers only, and with the usual timer loop of three seconds. At
 * the default speed of 12 two hours take ten minutes; 1 is real time. Two extra rows show how much the
 * speed distorts the figures.
 */
import { measureDuration, WAYS, type Duration, type Way } from './measure-duration.js';
import type { RunFigures } from './measure-run.js';
import { withTemporal } from './with-temporal.js';

const FAST = Number(process.argv[2] ?? 12);
const TWO_HOURS: Duration = { taskSeconds: 7_200, speed: FAST };
const FIVE_MINUTES: Duration = { taskSeconds: 300, speed: 1 };
/** Lanes run in parallel. Runs of one lane run one after the other, so that short runs are not disturbed. */
const LANES: readonly (readonly Duration[])[] = [
  [TWO_HOURS],
  [FIVE_MINUTES],
  [
    { taskSeconds: 30, speed: 1 },
    { taskSeconds: 30, speed: FAST },
    { taskSeconds: 300, speed: FAST },
  ],
];

/** For a task of two hours. */
const MAX_EVENTS = { watcher: 120, timers: 700 } as const;

interface Row extends RunFigures {
  duration: Duration;
  way: Way;
}

async function measureLane(lane: readonly Duration[]): Promise<Row[]> {
  const rows: Row[] = [];
  for (const duration of lane) {
    const measurements = WAYS.map(async (way) => ({
      duration,
      way,
      ...(await measureDuration(duration, way)),
    }));
    rows.push(...(await Promise.all(measurements)));
  }
  return rows;
}

function toLine(row: Row, naive: Row | undefined): string {
  const share = (figure: 'events' | 'requests'): string =>
    `1/${((naive?.[figure] ?? Number.NaN) / row[figure]).toFixed(1)}`;
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
  const max = MAX_EVENTS[way];
  if (events <= max) return [`2 h, ${way}: ${events} events, at most ${max} wanted: kept`];
  const types = [...eventTypes].map(([type, count]) => `  ${type}: ${count}`);
  return [`2 h, ${way}: ${events} events, at most ${max} wanted: EXCEEDED`, ...types];
}

/** A timer, an activity and the workflow task after each. */
const EVENTS_PER_READ = 11;

/** Extrapolates the loop to two hours at its pace in real time. */
function extrapolate({ duration, events, requests, taskReads }: Row): string {
  const moreReads = taskReads * (TWO_HOURS.taskSeconds / duration.taskSeconds - 1);
  return `2 h, naive, extrapolated from its 5 min in real time: ${events + moreReads * EVENTS_PER_READ} events, ${requests + moreReads} requests`;
}

const NOTES = `speed: the simulator and the polls are faster by this factor; the seconds are multiplied back.
Not scaled: round trips and late timers (20 to 50 ms), so fast loops look less often than in real time
(last column); heartbeats; limits of an hour or more. In real time the watching activity ends after
an hour and the server retries it, which adds no event to the history.`;

await withTemporal({ exactTimers: true }, async () => {
  const rows = (await Promise.all(LANES.map(measureLane))).flat();
  const naiveOf = (row: Row): Row | undefined =>
    rows.find(({ duration, way }) => duration === row.duration && way === 'naive');
  const lines = [
    'task\tspeed\tway\tevents\tvs naive\tKiB\trequests\tvs naive\tnoticed after s\ts per read',
    ...rows.map((row) => toLine(row, naiveOf(row))),
    ...rows.filter(({ duration }) => duration === TWO_HOURS).flatMap(toVerdict),
    ...rows
      .filter(({ duration, way }) => duration === FIVE_MINUTES && way === 'naive')
      .map(extrapolate),
    NOTES,
  ];
  process.stdout.write(`${lines.join('\n')}\n`);
});
