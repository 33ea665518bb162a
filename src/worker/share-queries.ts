import DataLoader from 'dataloader';

/** In one query: more than a worker asks about at a time. */
const MAX_KEYS = 50;

/**
 * One query at a time for up to 50 who ask: those who come while one is under way share the next.
 * Answers are not kept, and a failure is for those who asked in that query only.
 *
 * @param query what it finds nothing about is left out of its answer
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
