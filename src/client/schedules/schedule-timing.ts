import type { ScheduleSpec } from '@temporalio/client';
import { z } from 'zod';

import type { Fault } from '../../engine/core/failures.js';
import { parseDuration } from '../../engine/core/times.js';
import { plural } from '../../engine/core/text.js';

/** When a schedule starts a run, as a caller says it. Exactly one of `every`, `at` and `cron`. */
export interface WantedTiming {
  /** A time span such as `6h`; counted from midnight UTC of 1 January 1970. */
  every?: string;
  /** Times of every day, such as `02:30`. */
  at?: string | readonly string[];
  /** Five fields: minute, hour, day of the month, month, day of the week. */
  cron?: string;
  /** For `at` and `cron`: an IANA name such as `Europe/Berlin`; UTC when left out. */
  zone?: string;
}

/** The one form of a timing. It stands in the memo of the schedule. */
const timingSchema = z.union([
  z.object({ every: z.string() }),
  z.object({ at: z.array(z.string()), zone: z.string() }),
  z.object({ cron: z.string(), zone: z.string() }),
]);
export type Timing = z.infer<typeof timingSchema>;

export type CheckedTiming = { ok: true; timing: Timing } | { ok: false; faults: Fault[] };

const UTC = 'UTC';
const MIN_EVERY_MS = 60_000;

/** Every fault of a timing, or its one form. The Temporal server checks the fields of `cron`. */
export function checkTiming({ every, at, cron, zone }: WantedTiming): CheckedTiming {
  const given = Object.entries({ every, at, cron }).filter(([, value]) => value !== undefined);
  const faults = zoneFaults(zone, every !== undefined);
  if (given.length !== 1) {
    const message = 'needs exactly one of "every", "at" and "cron"';
    return { ok: false, faults: [{ path: 'timing', message }, ...faults] };
  }
  const times = at === undefined ? [] : [at].flat();
  faults.push(...everyFaults(every), ...(at === undefined ? [] : atFaults(times)));
  if (cron !== undefined) faults.push(...cronFaults(cron));
  if (faults.length > 0) return { ok: false, faults };
  return { ok: true, timing: normalForm({ every, times, cron, zone }) };
}

interface Given {
  every: string | undefined;
  times: readonly string[];
  cron: string | undefined;
  zone: string | undefined;
}

function normalForm({ every, times, cron, zone = UTC }: Given): Timing {
  if (every !== undefined) return { every: toDurationText(msOf(every)) };
  if (cron !== undefined) return { cron: cron.trim().replaceAll(/\s+/g, ' '), zone };
  return { at: [...new Set(times.map((time) => time.padStart(5, '0')))].sort(), zone };
}

function msOf(text: string): number {
  const parsed = parseDuration(text);
  return parsed.ok ? parsed.ms : 0;
}

function everyFaults(every: string | undefined): Fault[] {
  if (every === undefined) return [];
  const parsed = parseDuration(every);
  if (!parsed.ok) return [{ path: 'every', message: parsed.message }];
  const isFit = parsed.ms >= MIN_EVERY_MS && parsed.ms % 1_000 === 0;
  return isFit ? [] : [{ path: 'every', message: 'must be at least 1 minute, in whole seconds' }];
}

const TIME = /^([01]?\d|2[0-3]):[0-5]\d$/;

function atFaults(times: readonly string[]): Fault[] {
  if (times.length === 0) return [{ path: 'at', message: 'must have at least one time' }];
  return times
    .filter((time) => !TIME.test(time))
    .map((time) => ({
      path: 'at',
      message: `must be a time of the day from 00:00 to 23:59, such as 02:30, not "${time}"`,
    }));
}

const CRON_FIELD = /^[\d*,/?a-z-]+$/i;

function cronFaults(cron: string): Fault[] {
  const refuse = (message: string): Fault[] => [{ path: 'cron', message }];
  const fields = cron.trim().split(/\s+/);
  const isCron = fields.length === 5 && fields.every((field) => CRON_FIELD.test(field));
  if (!isCron) {
    return refuse(
      'must have five fields (minute, hour, day of the month, month, day of the week), such as "30 2 * * 1-5"; the time zone has its own field',
    );
  }
  const [, , dayOfMonth = '*', , dayOfWeek = '*'] = fields;
  const isOpen = (field: string): boolean => /^[*?]$/.test(field);
  if (isOpen(dayOfMonth) || isOpen(dayOfWeek)) return [];
  return refuse(
    'names a day of the month and a day of the week: Temporal wants both to match, where cron wants one of them. Name only one',
  );
}

function zoneFaults(zone: string | undefined, isInterval: boolean): Fault[] {
  if (zone === undefined) return [];
  const message = isInterval
    ? 'has no meaning with "every", which counts hours and not times of the day: use "at" or "cron"'
    : 'must be the IANA name of a time zone, such as Europe/Berlin or UTC';
  return isInterval || !isZone(zone) ? [{ path: 'zone', message }] : [];
}

function isZone(zone: string): boolean {
  try {
    new Intl.DateTimeFormat('en', { timeZone: zone });
    // Some versions of Node take `+02:00` too, and the Temporal server does not.
    return /^[a-z]/i.test(zone);
  } catch {
    return false;
  }
}

/** As Temporal takes it. */
export function toSpec(timing: Timing): ScheduleSpec {
  if ('every' in timing) return { intervals: [{ every: msOf(timing.every) }] };
  if ('cron' in timing) return { cronExpressions: [timing.cron], timezone: timing.zone };
  const calendars = timing.at.map((time) => {
    const [hour = 0, minute = 0] = time.split(':').map(Number);
    return { hour, minute };
  });
  return { calendars, timezone: timing.zone };
}

/** `every 6 hours`, `every day at 02:30 and 14:30, Europe/Berlin` */
export function describeTiming(timing: Timing): string {
  if ('every' in timing) return `every ${timing.every}`;
  if ('cron' in timing) return `cron ${timing.cron}, ${timing.zone}`;
  return `every day at ${timing.at.join(' and ')}, ${timing.zone}`;
}

const UNITS = [
  [86_400_000, 'day'],
  [3_600_000, 'hour'],
  [60_000, 'minute'],
  [1_000, 'second'],
] as const;

/** `6 hours`, `90 minutes`: in the largest unit that divides it, so equal spans have equal texts. */
export function toDurationText(ms: number): string {
  const [unitMs, name] = UNITS.find(([size]) => ms % size === 0) ?? UNITS[3];
  return plural(Math.round(ms / unitMs), name);
}

/** Marks a schedule as made by this product. The server would give back another form of its timing. */
const MEMO = 'gcoreSchedule';

const memoSchema = z.object({ timing: timingSchema });

export function toMemo(timing: Timing): Record<string, unknown> {
  return { [MEMO]: { timing } };
}

/** `undefined` for a schedule that another tool has made. */
export function timingOf(memo: Readonly<Record<string, unknown>> | undefined): Timing | undefined {
  return memoSchema.safeParse(memo?.[MEMO]).data?.timing;
}
