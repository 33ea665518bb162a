interface Shared<T> {
  at: number;
  reading: Promise<T>;
}

/** However many readers ask for the same at once, or soon after each other, it is read once. */
export type ShareReads<T> = (key: string, read: () => Promise<T>) => Promise<T>;

const MOST_KEPT = 200;

/**
 * @param freshMs how old an answer may be
 * @param clock of this process, in milliseconds: one that nobody sets
 */
export function createSharedReads<T>(
  freshMs: number,
  clock: () => number = () => performance.now(),
): ShareReads<T> {
  const kept = new Map<string, Shared<T>>();
  return (key, read) => {
    const known = kept.get(key);
    if (known !== undefined && clock() - known.at < freshMs) return known.reading;
    const shared = { at: clock(), reading: read() };
    // A failed read is repeated by the next who asks.
    shared.reading.catch(() => {
      if (kept.get(key) === shared) kept.delete(key);
    });
    kept.delete(key);
    kept.set(key, shared);
    const [oldest] = kept.keys();
    if (kept.size > MOST_KEPT && oldest !== undefined) kept.delete(oldest);
    return shared.reading;
  };
}
