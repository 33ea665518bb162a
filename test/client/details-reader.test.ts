import { describe, expect, it } from '@jest/globals';

import { createDetailsReader, type DetailsSource } from '../../src/client/details-reader.js';

/** Reads that fail or succeed as they are told to, and those that were made and cancelled. */
function sourceThat(...outcomes: ('fails' | 'succeeds' | 'takes long')[]) {
  const made: string[] = [];
  const cancelled: string[] = [];
  const source: DetailsSource = {
    read(requestId, ids) {
      const outcome = outcomes[made.length];
      made.push(requestId);
      if (outcome === 'takes long') return new Promise(() => undefined);
      if (outcome === 'fails') return Promise.reject(new Error(`read ${made.length}`));
      return Promise.resolve(new Map(ids.map((id) => [id, { id }])));
    },
    cancel(requestId) {
      cancelled.push(requestId);
      return Promise.resolve();
    },
  };
  return { source, made, cancelled };
}

describe('createDetailsReader', () => {
  it('gives up after three failures in a row, and says why', async () => {
    const { source, made } = sourceThat('fails', 'fails', 'succeeds', 'fails', 'fails', 'fails');
    const reader = createDetailsReader(source, undefined);
    const reads = [];
    for (let id = 1; id <= 8; id++) reads.push(await reader.read([id]));

    expect(made).toHaveLength(6);
    expect(reads[2]).toEqual({ details: new Map([[3, { id: 3 }]]) });
    expect(reads[7]).toEqual({ error: new Error('read 6') });
  });

  it('ends and cancels what it reads when it is stopped, and reads no more', async () => {
    const { source, made, cancelled } = sourceThat('takes long', 'takes long');
    const stop = new AbortController();
    const reader = createDetailsReader(source, stop.signal);
    const reading = [reader.read([1]), reader.read([2])];
    stop.abort();

    expect(await Promise.all([...reading, reader.read([3])])).toEqual([{}, {}, {}]);
    await reader.settled();
    expect(made).toHaveLength(2);
    expect(cancelled).toEqual(made);
  });

  it('reads nothing when nothing is asked, or when it was stopped before', async () => {
    const { source, made } = sourceThat();

    expect(await createDetailsReader(source, undefined).read([])).toEqual({ details: new Map() });
    expect(await createDetailsReader(source, AbortSignal.abort()).read([1])).toEqual({});
    expect(made).toEqual([]);
  });
});
