import { describe, expect, it } from '@jest/globals';

import { createHeldBytes } from '../../src/gateway/held-bytes.js';
import { ProblemError } from '../../src/gateway/problem.js';

describe('what uploads hold in memory', () => {
  const worldOf = () => createHeldBytes({ total: 10, perCaller: 6 });

  it('has a most for each caller, in all its uploads', () => {
    const held = worldOf();
    held.of('anna').add(4);

    expect(() => {
      held.of('anna').add(3);
    }).toThrow(ProblemError);
  });

  it('has a most for all callers', () => {
    const held = worldOf();
    held.of('anna').add(6);

    expect(() => {
      held.of('ben').add(5);
    }).toThrow(ProblemError);
  });

  it('is free again when an upload ends, also one that was refused', () => {
    const held = worldOf();
    const [first, second] = [held.of('anna'), held.of('anna')];
    first.add(4);
    expect(() => {
      second.add(3);
    }).toThrow('too many lists');
    second.free();
    first.free();

    expect(() => {
      held.of('anna').add(6);
      held.of('ben').add(4);
    }).not.toThrow();
  });
});
