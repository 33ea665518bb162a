import { describe, expect, it } from '@jest/globals';

import { toExplanation } from '../../../src/client/explain/explain-run.js';
import type { StatusDocument, Waiting } from '../../../src/engine/schema/status-document.js';
import { at, factsOf, ID, TASK } from './run-facts.js';

const OTHER = 'modify-kv-store/default/order-4710';

/** @param seconds after the start */
function nextOf(waiting: Waiting, seconds = 5): string {
  const status: StatusDocument = {
    version: 1,
    operation: 'provisionInstance',
    phase: 'waiting',
    steps: [],
    labels: { group: 'night' },
    waiting,
  };
  const command = (...words: string[]) => `gcore-workflows ${words.join(' ')}`;
  return toExplanation(factsOf({ status, observedAt: at(seconds) }), command).next;
}

describe('the next step of a run that waits', () => {
  const usual = { for: `task ${TASK}`, since: at(1), typicalSeconds: 30 };
  const nothing = `nothing to do; to follow it: gcore-workflows watch ${ID}`;

  it('is nothing while the wait is as usual, or nobody knows what is usual', () => {
    expect(nextOf(usual, 90)).toBe(nothing);
    expect(nextOf({ for: 'it', since: at(1) }, 900)).toBe(nothing);
  });

  it('is a question to the API when the wait takes three times as long', () => {
    expect(nextOf(usual, 92)).toBe(
      `wait; if it lasts, ask the support of the API (the run waits for task ${TASK}); to follow it: gcore-workflows watch ${ID}`,
    );
  });

  it('is a look at the run that has the turn', () => {
    expect(nextOf({ for: 'its turn at kv-store/1', since: at(1), holder: OTHER })).toBe(
      `see what the run that has the turn waits for: gcore-workflows explain ${OTHER}`,
    );
  });

  it('is a look at the run that it has started', () => {
    expect(nextOf({ for: `run ${ID}/protect`, since: at(1), child: `${ID}/protect` })).toBe(
      `see where that run is: gcore-workflows explain ${ID}/protect`,
    );
  });

  it('is where to find the runs that somebody has paused, unless no list of paused ones has them', () => {
    const paused = { for: '2 runs to be resumed', since: at(1) };

    expect(nextOf({ ...paused, advice: 'resume each' })).toBe(
      'resume each; to find them: gcore-workflows list --group night --phase paused',
    );
    const advice = 'end the pause of 2 runs (line 7-8): temporal workflow unpause';
    expect(nextOf({ ...paused, advice })).toBe(advice);
  });
});
