import ms, { type StringValue } from 'ms';
import { z } from 'zod';

const RULE = 'must be a time with a unit, such as "90 seconds", "30 minutes", "2h" or "1 day"';
/** Temporal and people write durations alike; a number alone would be milliseconds to one of them. */
const WITH_UNIT = /^\d+(\.\d+)? ?[a-z]+$/i;
const LONGEST_MS = 366 * 86_400_000;

/** A duration as a text; `parseDuration` gives its milliseconds. */
export const durationSchema = z.string().superRefine((text, context) => {
  const value = parseDuration(text);
  if (value === undefined) context.addIssue({ code: 'custom', message: RULE });
  else if (value < 1_000) context.addIssue({ code: 'custom', message: 'must be 1 second or more' });
  else if (value > LONGEST_MS) {
    context.addIssue({ code: 'custom', message: 'must be a year or less' });
  }
});

/** Milliseconds; `undefined` when the text is no duration. */
export function parseDuration(text: string): number | undefined {
  const value = hasUnit(text) ? ms(text) : Number.NaN;
  return Number.isFinite(value) ? value : undefined;
}

/** Looks like a duration; of an unknown unit `ms` makes NaN. */
function hasUnit(text: string): text is StringValue {
  return WITH_UNIT.test(text);
}
