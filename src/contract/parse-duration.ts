/** Free of zod, so workflow code may import its values. */
import ms, { type StringValue } from 'ms';

/** Temporal and people write durations alike; a number alone would be milliseconds to one of them. */
const WITH_UNIT = /^\d+(\.\d+)? ?[a-z]+$/i;
const LONGEST_MS = 366 * 86_400_000;

export type ParsedDuration = { ok: true; ms: number } | { ok: false; message: string };

/** `30 minutes` → its milliseconds; from a second to a year. */
export function parseDuration(text: unknown): ParsedDuration {
  const value = hasUnit(text) ? ms(text) : Number.NaN;
  if (!Number.isFinite(value)) {
    return refuse(
      'must be a time with a unit, such as "90 seconds", "30 minutes", "2h" or "1 day"',
    );
  }
  if (value < 1_000) return refuse('must be 1 second or more');
  return value > LONGEST_MS ? refuse('must be a year or less') : { ok: true, ms: value };
}

function refuse(message: string): ParsedDuration {
  return { ok: false, message };
}

/** Looks like a duration; of an unknown unit `ms` makes NaN. */
function hasUnit(text: unknown): text is StringValue {
  return typeof text === 'string' && WITH_UNIT.test(text);
}
