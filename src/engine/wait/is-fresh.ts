/** So old may a read be that counts as made now. */
const FRESH_MS = 5_000;

/** Whether what was read at this time needs no new read. @param at milliseconds since the epoch, if it is known */
export function isFresh(at = -Infinity): boolean {
  return Date.now() - at <= FRESH_MS;
}
