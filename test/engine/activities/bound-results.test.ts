import { describe, expect, it } from '@jest/globals';

import { boundResults } from '../../../src/engine/activities/bound-results.js';
import { failureIn } from '../../support/http/in-activity.js';

const large = (): Promise<string> => Promise.resolve('x'.repeat(70_000));

describe('a result that is too large for a history', () => {
  const groups = boundResults({
    reads: { readMuch: large },
    mutations: { makeMuch: large },
    deletes: {},
    convergent: {},
    longReads: {},
    polls: {},
  });

  it('is an unexpected answer of a read', async () => {
    const failure = await failureIn(() => groups.reads.readMuch());

    expect(failure).toMatchObject({ type: 'UnexpectedResponse', nonRetryable: true });
    expect(failure.message).toContain('readMuch has 70002 bytes; a run can take 65536 bytes');
  });

  it('leaves the outcome of a mutation unknown', async () => {
    const failure = await failureIn(() => groups.mutations.makeMuch());

    expect(failure).toMatchObject({ type: 'OutcomeUnknown', nonRetryable: true });
  });
});
