import { plural } from '../../engine/core/plural.js';

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
