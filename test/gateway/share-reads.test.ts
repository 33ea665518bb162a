import { describe, expect, it } from '@jest/globals';

import { createSharedReads } from '../../src/gateway/share-reads.js';

function createCounted() {
  let reads = 0;
  let now = 0;
  const share = createSharedReads<number>(1_000, () => now);
  return {
    share,
    read: () => Promise.resolve((reads += 1)),
    reads: () => reads,
    pass: (ms: number) => {
      now += ms;
    },
  };
}

describe('a shared read', () => {
  it('is done once for all who ask in its time, and again afterwards', async () => {
    const { share, read, pass } = createCounted();

    const together = await Promise.all([share('a', read), share('a', read), share('b', read)]);
    pass(999);
    const soon = await share('a', read);
    pass(1);
    const later = await share('a', read);

    expect([...together, soon, later]).toEqual([1, 1, 2, 1, 3]);
  });

  it('is repeated when it has failed', async () => {
    const { share, read } = createCounted();

    const failed = await share('a', () => Promise.reject(new Error('away'))).catch(() => 'away');

    expect([failed, await share('a', read)]).toEqual(['away', 1]);
  });

  it('is forgotten first that was read first: keys do not add up', async () => {
    const { share, read, reads } = createCounted();
    for (let key = 0; key <= 200; key++) await share(String(key), read);
    await share('200', read);
    expect(reads()).toBe(201);

    await share('0', read);

    expect(reads()).toBe(202);
  });
});
