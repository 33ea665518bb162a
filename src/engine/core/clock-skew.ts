/**
 * How far two clocks may be apart without a warning, and how far the clock of the API may be from what its `Date`
 * shows: windows of a search grow by it at each end (`timesOfApi`).
 */
export const CLOCK_SKEW_MS = 60_000;
