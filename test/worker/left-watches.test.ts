import { describe, expect, it } from '@jest/globals';

import { createLeftWatches, type WatchQueue } from '../../src/worker/left-watches.js';
import { until } from '../support/timing/until.js';

/** What the server says, one after the other; the last answer is repeated. */
function leftAfter(answers: (WatchQueue | Error)[]) {
  let asked = 0;
  const areLeft = createLeftWatches(() => {
    const answer = answers[Math.min(asked, answers.length - 1)] ?? new Error('no answer');
    asked += 1;
    return answer instanceof Error ? Promise.reject(answer) : Promise.resolve(answer);
  }, 50);
  const seen: boolean[] = [];
  const look = (): void => {
    if (areLeft()) seen.push(true);
  };
  return { asked: () => asked, look, seen };
}

const waiting = (waitingMs: number, lastPoll = '1'): WatchQueue => ({ waitingMs, lastPoll });

describe('watches that nobody takes', () => {
  it('are seen at the second look, and told once', async () => {
    const { asked, look, seen } = leftAfter([waiting(9_000), waiting(9_000), waiting(0)]);

    await until('it has looked three times', () => (look(), asked() === 3));
    look();

    expect(seen).toEqual([true]);
  });

  it.each([
    ['somebody polls', [waiting(9_000, '1'), waiting(9_000, '2')]],
    ['none waits for long', [waiting(1_500)]],
    ['none waits', [waiting(0)]],
    ['the server does not answer', [new Error('14 UNAVAILABLE')]],
  ])('are none when %s', async (_title, answers) => {
    const { asked, look, seen } = leftAfter(answers);

    await until('it has looked twice', () => (look(), asked() === 2));
    await Promise.resolve();
    look();

    expect(seen).toEqual([]);
  });
});
