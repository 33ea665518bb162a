import DataLoader from 'dataloader';

/** Maximum keys per query: more than a worker asks for at a time. */
const MAX_KEYS = 50;

/**
 * Runs one query at a time, for up to 50 callers: callers that come while it runs share the next one.
 * Answers are not cached. A failure reaches only the callers of its query.
 *
 * @param query answers for the keys that it finds, and leaves out the others
 */
export function shareQueries<A>(
  query: (keys: readonly string[]) => Promise<ReadonlyMap<string, A>>,
): (key: string) => Promise<A | undefined> {
  let underWay: Promise<unknown> = Promise.resolve();
  const loader = new DataLoader<string, A | undefined>(
    (keys) => {
      const answers = query([...new Set(keys)]);
      underWay = answers.catch(() => undefined);
      return answers.then((found) => keys.map((key) => found.get(key)));
    },
    {
      cache: false,
      maxBatchSize: MAX_KEYS,
      batchScheduleFn: (send) => void underWay.then(send),
    },
  );
  return (key) => loader.load(key);
}
