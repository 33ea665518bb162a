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

  it('promise a try by itself only while the run is not paused', () => {
    const run = { operation: 'provisionInstance' as const, steps: ['create'] };
    const ledger = createLedger(run, () => undefined);
    const advice = 'Ask for more.';
    ledger.setBlocked({}, { type: FailureType.quotaExceeded, ...BLOCK, advice });
    const { blocked } = ledger.document();
    ledger.setPaused(true);
    const paused = ledger.document();

    expect(blocked).toMatchObject({
      ...{ nextCheckAt: 'n' },
      advice: 'Ask for more. Then resume the run, or let it try again by itself.',
    });
    expect(paused.phase).toBe('paused');
    expect(paused.blocked).toStrictEqual({
      ...{ type: 'QuotaExceeded', message: 'm', since: 's' },
      advice: 'Ask for more. Then resume the run.',
    });
  });

  it('keep an advice that says itself what a resume does', () => {
    const run = { operation: 'provisionInstance' as const, steps: ['create'] };
    const ledger = createLedger(run, () => undefined);
    const advice = 'Look, then `resume` it.';

    ledger.setBlocked({}, { type: FailureType.outcomeUnknown, ...BLOCK, advice });

    expect(ledger.document().blocked?.advice).toBe(advice);
  });
});
