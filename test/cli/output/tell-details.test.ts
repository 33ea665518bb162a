import { describe, expect, it } from '@jest/globals';

import { tellDetails } from '../../../src/cli/output/tell-details.js';

/** What is said of these steps, a second apart. */
function saidOf(...steps: Parameters<ReturnType<typeof tellDetails>>[0][]): string[] {
  let now = 0;
  const said: string[] = [];
  const tell = tellDetails({
    io: { clock: { now: () => now } },
    progress: { notice: (text) => said.push(text) },
    hint: (...words) => words.join(' '),
  });
  for (const step of steps) {
    tell(step);
    now += 1_000;
  }
  return said;
}

describe('tellDetails', () => {
  it('says now and then how many are read, and always the end', () => {
    const steps = [0, 500, 1_000, 1_500, 2_000, 2_500, 3_000, 3_200].map((read) => ({
      ...{ asked: 3_200, read, unread: 0 },
    }));

    expect(saidOf(...steps)).toEqual([
      'Details of 0 of 3,200 videos read',
      'Details of 2,500 of 3,200 videos read',
      'Details of 3,200 of 3,200 videos read',
    ]);
  });

  it.each([
    ['a failure', { error: new Error('It was refused.') }, 'It was refused.'],
    ['Ctrl-C', {}, 'stopped'],
  ])('says after %s of how many there are none, and what to do', (_, why, says) => {
    expect(saidOf({ asked: 1_500, read: 499, unread: 1_001, ...why })).toEqual([
      'Details of 499 of 1,500 videos read',
      `The results have no details of 1,001 videos: ${says}`,
      'Their lines have the ids. To read some of them: videos IDS',
    ]);
  });
});
