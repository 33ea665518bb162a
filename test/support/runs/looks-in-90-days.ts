const MINUTE = 60_000;
const DAYS_90 = 90 * 24 * 60 * MINUTE;

/**
 * How many looks a wait makes in 90 days.
 *
 * @param delayAt milliseconds until the next look, after so many milliseconds of waiting
 * @param most the wait makes no more looks
 */
export function looksIn90Days(delayAt: (elapsedMs: number) => number, most = Infinity): number {
  let looks = 0;
  for (let elapsed = 0; elapsed < DAYS_90 && looks < most; looks++) elapsed += delayAt(elapsed);
  return looks;
}
