/**
 * How far the clock of the API may differ from ours. Time windows of a search grow by it at each end.
 *
 * Free of zod, so workflow code may import its values.
 */
export const CLOCK_SKEW_MS = 60_000;
