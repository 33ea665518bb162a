/** The answer of a read, with the time of its first request. */
export interface Stamped<R> {
  result: R;
  /**
   * By the clock of the Temporal server, in milliseconds since the epoch. Null when nothing was sent, or when an
   * earlier attempt of the read has sent a part of it.
   */
  readAt: number | null;
}
