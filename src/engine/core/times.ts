import ms, { type StringValue } from 'ms';

/** A time in milliseconds since the epoch, in ISO 8601 and UTC. */
export function isoOf(time: number): string {
  return new Date(time).toISOString();
}

/** The latest of these times; `undefined` when there is none. */
export function latestOf(...times: readonly (number | undefined)[]): number | undefined {
  const known = times.filter((time) => time !== undefined);
  return known.length === 0 ? undefined : Math.max(...known);
}

/**
 * How far two clocks may be apart without a warning, and how far the clock of the API may be from what its `Date`
 * shows: windows of a search grow by it at each end (`timesOfApi`).
 */
export const CLOCK_SKEW_MS = 60_000;

/** The unit is required: Temporal reads a bare number as milliseconds, people rarely mean that. */
const NUMBER_WITH_UNIT = /^\d+(\.\d+)? ?[a-z]+$/i;
const MAX_DURATION_MS = 366 * 86_400_000;

export type ParsedDuration = { ok: true; ms: number } | { ok: false; message: string };

/** Parses `30 minutes` to milliseconds. Accepts one second to one year. */
export function parseDuration(text: unknown): ParsedDuration {
  const value = hasUnit(text) ? ms(text) : Number.NaN;
  if (!Number.isFinite(value)) {
    return refuse(
      'must be a duration with a unit, such as "90 seconds", "30 minutes", "2h" or "1 day"',
    );
  }
  if (value < 1_000) return refuse('must be at least 1 second');
  return value > MAX_DURATION_MS ? refuse('must be at most 1 year') : { ok: true, ms: value };
}

function refuse(message: string): ParsedDuration {
  return { ok: false, message };
}

/** `ms` throws for a longer text. */
const MAX_CHARACTERS = 100;

/** Whether the text looks like a duration. For an unknown unit `ms` returns NaN. */
function hasUnit(text: unknown): text is StringValue {
  return typeof text === 'string' && text.length <= MAX_CHARACTERS && NUMBER_WITH_UNIT.test(text);
}
