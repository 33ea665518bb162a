import { CLOCK_SKEW_MS } from '../core/times.js';
import type { ApiClient } from './api-client.js';

/** In milliseconds since the epoch. */
export interface TimeWindow {
  from: number;
  to: number;
}

/**
 * A window of recorded times as the API counts them. A recorded clock and the API's may be far apart, and only what
 * is left after the difference by the `Date` of its answers is small. The window never begins later nor ends earlier
 * than it was recorded: the difference may have been another one then.
 */
export function timesOfApi(
  { clock }: Pick<ApiClient, 'clock'>,
  { from, to }: TimeWindow,
): TimeWindow {
  const aheadMs = clock.aheadMs() ?? 0;
  return {
    from: from + Math.min(aheadMs, 0) - CLOCK_SKEW_MS,
    to: to + Math.max(aheadMs, 0) + CLOCK_SKEW_MS,
  };
}

/** Reads with a window of recorded times. Reads once more when only the answer has shown what time the API has. */
export async function readInWindow<T>(
  api: Pick<ApiClient, 'clock'>,
  recorded: TimeWindow,
  read: (window: TimeWindow) => Promise<T>,
): Promise<T> {
  const isKnown = api.clock.aheadMs() !== undefined;
  const seen = await read(timesOfApi(api, recorded));
  const isFar = Math.abs(api.clock.aheadMs() ?? 0) > CLOCK_SKEW_MS;
  return isKnown || !isFar ? seen : read(timesOfApi(api, recorded));
}
