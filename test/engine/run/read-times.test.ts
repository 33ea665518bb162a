import { describe, expect, it } from '@jest/globals';

import { createReadTimes, readTime } from '../../../src/engine/run/read-times.js';

/** A look that hears of answers of these times. */
async function lookAt(reads: readonly number[]): Promise<number> {
  const times = createReadTimes();
  const { at } = await times.look(async () => {
    for (const at of reads) {
      await Promise.resolve();
      times.note({}, at);
    }
  });
  return at;
}

describe('the time of a look', () => {
  it.each([
    [[7], 7],
    [[7, 3, 5], 3],
  ])('is that of its oldest read: of %j it is %i', async (reads, oldest) => {
    expect(await lookAt(reads)).toBe(oldest);
  });

  it('is its begin when it reads nothing', async () => {
    const before = Date.now();

    const at = await lookAt([]);

    expect(at).toBeGreaterThanOrEqual(before);
    expect(at).toBeLessThanOrEqual(Date.now());
  });

  it('is that of what it rests on when that is older', async () => {
    const times = createReadTimes();

    const { state, at } = await times.look(() => {
      times.note({}, 7);
      times.restOn(2);
      return Promise.resolve('seen');
    });

    expect([state, at]).toEqual(['seen', 2]);
  });

  it('does not change with what is read after it', async () => {
    const times = createReadTimes();
    const look = (at: number) =>
      times.look(() => {
        times.note({}, at);
        return Promise.resolve();
      });

    const first = await look(7);
    const second = await look(9);

    expect([first.at, second.at]).toEqual([7, 9]);
  });
});

describe('the reads of a look', () => {
  const read = (name: string) => ({
    name,
    input: {},
    result: [],
    untilNews: () => Promise.resolve(),
  });

  it('are those that it has made, and no others', async () => {
    const times = createReadTimes();
    times.noteRead(read('before'));
    const { state, reads } = await times.look(() => {
      times.noteRead(read('first'));
      times.noteRead(read('second'));
      return Promise.resolve('seen');
    });
    times.noteRead(read('after'));

    expect([state, ...reads.map(({ name }) => name)]).toEqual(['seen', 'first', 'second']);
  });

  it('are none when one of them has failed: what it rests on would not be watched', async () => {
    const times = createReadTimes();
    const { reads } = await times.look(() => {
      times.noteRead(read('first'));
      times.noteRead(undefined);
      return Promise.resolve();
    });

    expect(reads).toEqual([]);
  });
});

describe('the time of an answer', () => {
  it('is known of the answer, and of each row of a list', () => {
    const times = createReadTimes();
    const [one, row] = [{ id: 1 }, { id: 2 }];
    times.note(one, 7);
    times.note([row, 'text'], 8);

    expect([one, row, { id: 1 }].map((thing) => times.at(thing))).toEqual([7, 8, undefined]);
  });
});

describe('readTime', () => {
  const between = { asked: 10, heard: 20 };

  it.each([
    ['the time that the worker says', 15, 15],
    ['not before the run has asked, however slow the clock of the worker is', 3, 10],
    ['not after the run has heard, however fast the clock of the worker is', 99, 20],
    ['the time when the run has asked if the worker says nothing', null, 10],
  ])('is %s', (_, readAt, at) => {
    expect(readTime(readAt, between)).toBe(at);
  });
});
