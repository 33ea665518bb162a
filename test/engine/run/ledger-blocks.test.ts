import { describe, expect, it } from '@jest/globals';

import { FailureType } from '../../../src/engine/core/failures.js';
import { createLedger } from '../../../src/engine/run/ledger.js';

const BLOCK = { message: 'm', advice: 'a', since: 's', nextCheckAt: 'n' };

describe('the blocks of a ledger', () => {
  it('show the part that is blocked now, when the whole was blocked before', () => {
    const run = { operation: 'provisionInstance' as const, steps: ['create'] };
    const ledger = createLedger(run, () => undefined);
    ledger.setBlocked({}, { type: FailureType.unauthorized, ...BLOCK });

    ledger.setBlocked({}, { type: FailureType.outcomeUnknown, ...BLOCK });

    expect(ledger.document().blocked?.type).toBe('OutcomeUnknown');
  });
});
