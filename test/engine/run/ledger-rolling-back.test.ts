import { describe, expect, it } from '@jest/globals';

import { Phase, StepState } from '../../../src/engine/core/status.js';
import { createLedger } from '../../../src/engine/run/ledger.js';
import { closeOthers } from '../../../src/engine/run/rollback.js';

describe('the ledger of a run that undoes its work', () => {
  it('accepts no other input for a run that undoes its work, although nothing is left', () => {
    const ledger = createLedger(
      { operation: 'provisionInstance', steps: ['create'], creatingStep: 'create' },
      () => undefined,
    );
    ledger.step('create').set(StepState.failed);
    ledger.setPhase(Phase.rollingBack);

    ledger.setBlocked({}, { type: 'RemovalBlocked', message: 'm', advice: 'a', since: '' });

    expect(ledger.document()).toMatchObject({ phase: 'blocked', acceptsInput: false });
    expect(ledger.whyTooLate()).toContain('undoes its work');
  });

  it('shows no step as going on that the rollback does not undo', () => {
    const steps = ['create', 'verify', 'protect'];
    const ledger = createLedger({ operation: 'provisionInstance', steps }, () => undefined);
    const create = ledger.step('create');
    create.set(StepState.waiting);
    ledger.step('verify').set(StepState.waiting);

    closeOthers(ledger, [create]);

    expect(ledger.document().steps).toMatchObject([
      { name: 'create', state: 'waiting' },
      {
        name: 'verify',
        state: 'failed',
        endedAt: expect.stringMatching(/Z$/),
        note: 'not done when the run began to undo its work',
      },
      { name: 'protect', state: 'planned' },
    ]);
  });
});
