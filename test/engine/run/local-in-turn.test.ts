import { describe, expect, it } from '@jest/globals';
import type { LocalActivityInput } from '@temporalio/workflow';

import { interceptors } from '../../../src/engine/run/local-in-turn.js';

const asked = (seq: number): LocalActivityInput => ({
  activityType: 'prepare',
  args: [],
  attempt: 1,
  headers: {},
  options: {},
  seq,
});

/** A run that asks for local activities, each of which ends when it is told to. */
function createRun() {
  const begun: number[] = [];
  const ends = new Map<number, (error?: Error) => void>();
  const [outbound] = interceptors().outbound ?? [];
  const ask = (seq: number) =>
    outbound?.scheduleLocalActivity?.(asked(seq), ({ seq: next }) => {
      begun.push(next);
      return new Promise((resolve, reject) => {
        ends.set(next, (error) => {
          if (error === undefined) resolve(next);
          else reject(error);
        });
      });
    });
  const end = (seq: number, error?: Error) => ends.get(seq)?.(error);
  return { ask, begun, end };
}

describe('the local activities of a run', () => {
  it('begin at once when none is going on', async () => {
    const { ask, begun, end } = createRun();
    const first = ask(1);
    end(1);
    await first;

    const second = ask(2);

    expect(begun).toEqual([1, 2]);
    end(2);
    await expect(second).resolves.toBe(2);
  });

  it('go one after the other, also when one fails', async () => {
    const { ask, begun, end } = createRun();
    const all = [ask(1), ask(2), ask(3)];
    expect(begun).toEqual([1]);

    end(1, new Error('refused'));
    await expect(all[0]).rejects.toThrow('refused');
    await new Promise(setImmediate);
    expect(begun).toEqual([1, 2]);
    end(2);
    await expect(all[1]).resolves.toBe(2);
    await new Promise(setImmediate);
    expect(begun).toEqual([1, 2, 3]);
    end(3);
    await expect(all[2]).resolves.toBe(3);
  });
});
