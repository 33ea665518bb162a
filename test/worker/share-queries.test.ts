import { describe, expect, it } from '@jest/globals';

import { shareQueries } from '../../src/worker/share-queries.js';

/** Queries that answer when the test says so. */
function createQueries() {
  const asked: { keys: readonly string[]; answer: () => void; fail: () => void }[] = [];
  const query = (keys: readonly string[]): Promise<Map<string, string>> =>
    new Promise((resolve, reject) => {
      asked.push({
        keys,
        // The key "none" has no value.
        answer: () => {
          const known = keys.filter((key) => key !== 'none');
          resolve(new Map(known.map((key) => [key, `of ${key}`])));
        },
        fail: () => {
          reject(new Error('not now'));
        },
      });
    });
  return { asked, ask: shareQueries(query) };
}

/** Waits until the pending keys have been sent. */
const sent = () => new Promise(setImmediate);

describe('shareQueries', () => {
  it('sends one query for all keys that were requested during another query', async () => {
    const { asked, ask } = createQueries();
    const first = ask('a');
    await sent();
    const later = ['b', 'c', 'b', 'none'].map(ask);
    await sent();
    expect(asked.map(({ keys }) => keys)).toEqual([['a']]);

    asked[0]?.answer();
    expect(await first).toBe('of a');
    await sent();
    expect(asked.map(({ keys }) => keys)).toEqual([['a'], ['b', 'c', 'none']]);

    asked[1]?.answer();
    expect(await Promise.all(later)).toEqual(['of b', 'of c', 'of b', undefined]);
  });

  it('sends a new query each time, because an answer is only true for its moment', async () => {
    const { asked, ask } = createQueries();
    for (const index of [0, 1]) {
      const answer = ask('a');
      await sent();
      asked[index]?.answer();
      expect(await answer).toBe('of a');
    }
    expect(asked).toHaveLength(2);
  });

  it('fails for the callers of the failed query, and not for later callers', async () => {
    const { asked, ask } = createQueries();
    const first = ask('a');
    await sent();
    const later = ask('b');
    asked[0]?.fail();
    await expect(first).rejects.toThrow('not now');

    await sent();
    asked[1]?.answer();
    expect(await later).toBe('of b');
  });

  it('splits keys that are too many for one query', async () => {
    const { asked, ask } = createQueries();
    const first = ask('first');
    await sent();
    const answers = Array.from({ length: 120 }, (_, index) => ask(`key-${index}`));
    asked[0]?.answer();
    await first;
    await sent();

    expect(asked.slice(1).map(({ keys }) => keys.length)).toEqual([50, 50, 20]);
    for (const { answer } of asked) answer();
    expect(new Set(await Promise.all(answers)).size).toBe(120);
  });
});
