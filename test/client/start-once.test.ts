import { describe, expect, it } from '@jest/globals';

import { startOptions } from '../../src/client/start-once.js';

describe('the priority of a run', () => {
  it.each([
    [{ account: 'blue' }, 'blue'],
    [{}, 'default'],
  ])('has the account of %j as its fairness key', (input, fairnessKey) => {
    const startedBy = { by: 'anna', as: 'start' } as const;
    const work = { operation: 'listSshKeys', requestId: 'r', priorityKey: 3, startedBy } as const;

    const { priority } = startOptions({ ...work, input });

    expect(priority).toEqual({ priorityKey: 3, fairnessKey });
  });
});
