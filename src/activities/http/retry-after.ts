/** A longer wait than this is taken for a mistake of the server. */
const LONGEST_WAIT_MS = 10 * 60_000;

const DELTA_SECONDS = /^\d+(\.\d+)?$/;
const HTTP_DATE = /^[A-Za-z]{3,9}, .* GMT$/;

/**
 * Milliseconds to wait according to a Retry-After header: delta seconds or an HTTP date (RFC 9110
 * §10.2.3). At most ten minutes. `undefined` when the header is missing, makes no sense or names no
 * time to come: then the usual back-off applies, instead of a repeat at once.
 */
export function parseRetryAfter(header: string | null, nowMs: number): number | undefined {
  const text = (header ?? '').trim();
  const waitMs = DELTA_SECONDS.test(text)
    ? Number(text) * 1000
    : HTTP_DATE.test(text)
      ? Date.parse(text) - nowMs
      : Number.NaN;
  return waitMs > 0 ? Math.min(waitMs, LONGEST_WAIT_MS) : undefined;
}

/** Up to a fifth longer, so that calls which were told the same time do not come back together. */
export function addJitter(waitMs: number, random: number): number {
  return Math.round(waitMs * (1 + random * 0.2));
}
