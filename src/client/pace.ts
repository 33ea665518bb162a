import type { ItemsStatus } from '../engine/schema/status-document.js';

/** How fast the items of a bulk run end. */
export interface Pace {
  perMinute: number;
  /** Until all have ended, at the pace so far. */
  leftMs: number;
}

const MINUTE_MS = 60_000;

/** `undefined` before the first item has ended, and after the last one. */
export function paceOf(
  { asked, succeeded, failed, since }: ItemsStatus,
  now: number,
): Pace | undefined {
  const ended = succeeded + failed;
  const elapsedMs = since === undefined ? 0 : now - Date.parse(since);
  if (ended === 0 || ended >= asked || elapsedMs <= 0) return undefined;
  const perMs = ended / elapsedMs;
  return { perMinute: perMs * MINUTE_MS, leftMs: (asked - ended) / perMs };
}
