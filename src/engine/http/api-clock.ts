/** How the clock of the API differs from the one that times are recorded by, by the `Date` of its answers. */
export interface ApiClock {
  /** @param date the header of an answer that has just arrived */
  note(date: string | null): void;
  /**
   * How far the API is ahead, in milliseconds; `undefined` until it has said its time. Rounded towards the past by
   * the seconds that the header counts in, and by the way of the answer.
   */
  aheadMs(): number | undefined;
}

export function createApiClock(now: () => number): ApiClock {
  let ahead: number | undefined;
  return {
    note(date) {
      const time = Date.parse(date ?? '');
      if (Number.isFinite(time)) ahead = time - now();
    },
    aheadMs: () => ahead,
  };
}
