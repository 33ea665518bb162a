import type { temporal } from '@temporalio/proto';

import { invalidArgument } from '../base/grpc-error.js';
import { pick } from '../base/pick.js';
import { toDuration, toMs, toTime } from '../base/values.js';
import { calendarOfCron } from './cron.js';
import { localTime, utcOf, type LocalDay } from './zone.js';

export type Spec = temporal.api.schedule.v1.IScheduleSpec;
export type Calendar = temporal.api.schedule.v1.IStructuredCalendarSpec;
type Range = temporal.api.schedule.v1.IRange;

const DAY_MS = 24 * 3_600_000;
/** A calendar that fits no day for so long fits none. */
const MOST_DAYS = 4 * 366;

/** The spec as the server keeps it: cron lines have become calendars. @throws GrpcError */
export function fullSpec(spec: Spec | null | undefined): Spec {
  const { cronString, structuredCalendar, interval, excludeStructuredCalendar } = spec ?? {};
  const timezoneName = spec?.timezoneName ?? '';
  if (!isZone(timezoneName)) {
    throw invalidArgument(`Invalid schedule spec: unknown time zone ${timezoneName}`);
  }
  const { calendars, intervals } = fromCron(cronString ?? []);
  return {
    structuredCalendar: [...(structuredCalendar ?? []).map(fullCalendar), ...calendars],
    interval: [...(interval ?? []), ...intervals],
    excludeStructuredCalendar: (excludeStructuredCalendar ?? []).map(fullCalendar),
    ...pick(spec, ['startTime', 'endTime', 'jitter']),
    timezoneName,
  };
}

function isZone(name: string): boolean {
  if (name === '') return true;
  try {
    localTime(0, name);
    return true;
  } catch {
    return false;
  }
}

function fromCron(lines: readonly string[]) {
  const calendars: Calendar[] = [];
  const intervals: { interval: ReturnType<typeof toDuration> }[] = [];
  for (const line of lines) {
    const every = /^@every\s+(\d+)(s|m|h)$/.exec(line.trim());
    if (every === null) calendars.push(fullCalendar(calendarOfCron(line)));
    else {
      const unit = every[2] === 'h' ? 3_600_000 : every[2] === 'm' ? 60_000 : 1_000;
      intervals.push({ interval: toDuration(Number(every[1]) * unit) });
    }
  }
  return { calendars, intervals };
}

/** Which ranges stand for an unset field. */
const DEFAULTS = {
  second: [{ start: 0, end: 0 }],
  minute: [{ start: 0, end: 0 }],
  hour: [{ start: 0, end: 0 }],
  dayOfMonth: [{ start: 1, end: 31 }],
  month: [{ start: 1, end: 12 }],
  dayOfWeek: [{ start: 0, end: 6 }],
} as const;

type Field = keyof typeof DEFAULTS;

function fullCalendar(calendar: Calendar): Calendar {
  const full = (field: Field): Range[] => {
    const given = calendar[field] ?? [];
    return (given.length === 0 ? [...DEFAULTS[field]] : given).map(fullRange);
  };
  return {
    second: full('second'),
    minute: full('minute'),
    hour: full('hour'),
    dayOfMonth: full('dayOfMonth'),
    month: full('month'),
    year: (calendar.year ?? []).map(fullRange),
    dayOfWeek: full('dayOfWeek'),
    comment: calendar.comment ?? '',
  };
}

function fullRange({ start, end, step }: Range): Range {
  const from = start ?? 0;
  return { start: from, end: Math.max(end ?? 0, from), step: step || 1 };
}

/** The first time after this one, or undefined where there is none. */
export function nextTime(spec: Spec, after: number): number | undefined {
  const from = Math.max(after, (toTime(spec.startTime) ?? 0) - 1);
  const times = [
    ...(spec.interval ?? []).map(({ interval, phase }) =>
      nextOfInterval(toMs(interval), toMs(phase), from),
    ),
    ...(spec.structuredCalendar ?? []).map((calendar) => nextOfCalendar(spec, calendar, from)),
  ].filter((time) => time !== undefined);
  if (times.length === 0) return undefined;
  const next = Math.min(...times);
  const end = toTime(spec.endTime);
  if (end !== undefined && next > end) return undefined;
  const isExcluded = (spec.excludeStructuredCalendar ?? []).some((calendar) =>
    fits(spec, calendar, next),
  );
  return isExcluded ? nextTime(spec, next) : next;
}

function nextOfInterval(interval: number, phase: number, after: number): number | undefined {
  if (interval <= 0) return undefined;
  return (Math.floor((after - phase) / interval) + 1) * interval + phase;
}

function contains(ranges: readonly Range[] | null | undefined, value: number): boolean {
  return (ranges ?? []).some(({ start, end, step }) => {
    const from = start ?? 0;
    return value >= from && value <= (end ?? from) && (value - from) % (step || 1) === 0;
  });
}

function fitsDay(calendar: Calendar, { year, month, day, weekday }: LocalDay): boolean {
  const hasYear = (calendar.year ?? []).length > 0;
  return (
    contains(calendar.month, month) &&
    contains(calendar.dayOfMonth, day) &&
    contains(calendar.dayOfWeek, weekday) &&
    (!hasYear || contains(calendar.year, year))
  );
}

function fits(spec: Spec, calendar: Calendar, at: number): boolean {
  const local = localTime(at, spec.timezoneName ?? '');
  return (
    fitsDay(calendar, local) &&
    contains(calendar.hour, local.hour) &&
    contains(calendar.minute, local.minute) &&
    contains(calendar.second, local.second)
  );
}

function nextOfCalendar(spec: Spec, calendar: Calendar, after: number): number | undefined {
  const zone = spec.timezoneName ?? '';
  for (let days = 0; days <= MOST_DAYS; days += 1) {
    const day = localTime(after + days * DAY_MS, zone);
    if (!fitsDay(calendar, day)) continue;
    const next = firstOfDay(calendar, { day, zone, after });
    if (next !== undefined) return next;
  }
  return undefined;
}

function firstOfDay(
  calendar: Calendar,
  { day, zone, after }: { day: LocalDay; zone: string; after: number },
): number | undefined {
  for (const hour of valuesOf(calendar.hour)) {
    for (const minute of valuesOf(calendar.minute)) {
      for (const second of valuesOf(calendar.second)) {
        const at = utcOf({ ...day, hour, minute, second }, zone);
        if (at !== undefined && at > after) return at;
      }
    }
  }
  return undefined;
}

function valuesOf(ranges: readonly Range[] | null | undefined): number[] {
  const values = new Set<number>();
  for (const { start, end, step } of ranges ?? []) {
    for (let value = start ?? 0; value <= (end ?? 0); value += step || 1) values.add(value);
  }
  return [...values].sort((a, b) => a - b);
}
