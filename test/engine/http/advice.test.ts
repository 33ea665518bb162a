import { describe, expect, it } from '@jest/globals';

import { ADVICE } from '../../../src/activities/advice.js';
import { FailureType } from '../../../src/engine/core/failures.js';
import { failure } from '../../../src/engine/run/failures.js';
import { isBlocking } from '../../../src/engine/run/park-while-blocked.js';

const blocking = Object.values(FailureType).filter((type) =>
  isBlocking(failure(type, 'x', { advice: '' })),
);

describe('the advice of a failure that blocks a run', () => {
  it.each(blocking)('names the cause to mend, and no start of another run: %s', (type) => {
    expect(ADVICE[type]).not.toMatch(/start again|try again/i);
  });
});
