/** A longer wait counts as a mistake of the server. */
const MAX_WAIT_MS = 10 * 60_000;

const DELTA_SECONDS = /^\d+(\.\d+)?$/;
const HTTP_DATE = /^[A-Za-z]{3,9}, .* GMT$/;

/**
 * Milliseconds to wait according to a Retry-After header: delta seconds or an HTTP date (RFC 9110
 * §10.2.3). At most ten minutes. `undefined` when the header is missing, malformed or in the past:
 * then the usual backoff applies instead of an immediate repeat.
 */
export function parseRetryAfter(header: string | null, nowMs: number): number | undefined {
  const text = (header ?? '').trim();
  const waitMs = DELTA_SECONDS.test(text)
    ? Number(text) * 1000
    : HTTP_DATE.test(text)
      ? Date.parse(text) - nowMs
      : Number.NaN;
  return waitMs > 0 ? Math.min(waitMs, MAX_WAIT_MS) : undefined;
}

/** Up to a fifth longer, so that calls with the same Retry-After do not return together. */
export function addJitter(waitMs: number, random: number): number {
  return Math.round(waitMs * (1 + random * 0.2));
}
