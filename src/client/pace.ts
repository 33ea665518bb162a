import { Phase } from '../engine/core/status.js';
import type { ItemsStatus } from '../engine/schema/status-document.js';

/** How fast the items of a bulk run end. */
export interface Pace {
  perMinute: number;
  /** Until all have ended, at the pace so far. */
  leftMs: number;
}

const MINUTE_MS = 60_000;

interface Going {
  items: ItemsStatus;
  phase: Phase;
}

/** `undefined` before the first item has ended, after the last one, and while the run does not go on by itself. */
export function paceOf(
  { items: { asked, succeeded, failed, since }, phase }: Going,
  now: number,
): Pace | undefined {
  if (phase !== Phase.running && phase !== Phase.waiting) return undefined;
  const ended = succeeded + failed;
  const elapsedMs = since === undefined ? 0 : now - Date.parse(since);
  if (ended === 0 || ended >= asked || elapsedMs <= 0) return undefined;
  const perMs = ended / elapsedMs;
  return { perMinute: perMs * MINUTE_MS, leftMs: (asked - ended) / perMs };
}
