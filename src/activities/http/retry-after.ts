/** A longer wait than this is taken for a mistake of the server. */
const LONGEST_WAIT_MS = 10 * 60_000;

/**
 * Milliseconds to wait according to a Retry-After header: delta seconds or an HTTP date (RFC 9110
 * §10.2.3). At most ten minutes; `undefined` when the header is missing or makes no sense.
 */
export function parseRetryAfter(header: string | null, nowMs: number): number | undefined {
  if (header === null) return undefined;
  const text = header.trim();
  const waitMs = /^\d+(\.\d+)?$/.test(text) ? Number(text) * 1000 : Date.parse(text) - nowMs;
  return Number.isNaN(waitMs) ? undefined : Math.min(Math.max(waitMs, 0), LONGEST_WAIT_MS);
}

/** Up to a fifth longer, so that calls which were told the same time do not come back together. */
export function addJitter(waitMs: number, random: number): number {
  return Math.round(waitMs * (1 + random * 0.2));
}
