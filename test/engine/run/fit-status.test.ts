import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';

import { jsonByteLength } from '../../../src/engine/core/text.js';
import { FailureType } from '../../../src/engine/core/failures.js';
import { StepState } from '../../../src/engine/core/status.js';
import { failure, toRunFailure } from '../../../src/engine/run/failures.js';
import { createLedger, type Ledger } from '../../../src/engine/run/ledger.js';

const MAX_BYTES = 65_536;
const STEPS = ['one', 'two', 'three', 'four', 'five', 'six'];

const texts = fc
  .tuple(fc.constantFrom('x', '\u0001', '"', '😀'), fc.nat(30_000))
  .map(([unit, count]) => unit.repeat(count));
/** As long as the API may make an id. */
const ids = fc
  .tuple(fc.nat(2_000), fc.constantFrom(1, 36, 128))
  .map(([count, length]) =>
    Array.from({ length: count }, (_, index) => `${index}`.padStart(length, '0')),
  );

function ledgerThatSays({ text, many }: { text: string; many: readonly string[] }): Ledger {
  const ledger = createLedger({ operation: 'provisionInstance', steps: STEPS }, () => undefined);
  for (const name of STEPS) {
    const resources = many.map((id) => ({ kind: 'volume' as const, id }));
    ledger.step(name).set(StepState.failed, { note: text, taskIds: [...many], resources });
  }
  ledger.setBlocked(
    {},
    { type: FailureType.quotaExceeded, message: text, advice: text, since: 's', nextCheckAt: 'n' },
  );
  return ledger;
}

describe('what a run shows', () => {
  it('has at most 64 KiB as a status and as a failure, whatever the API said', () => {
    fc.assert(
      fc.property(texts, ids, (text, many) => {
        const ledger = ledgerThatSays({ text, many });
        const error = failure(FailureType.quotaExceeded, text.slice(0, 2_000), { advice: 'Wait.' });
        const { message, details } = toRunFailure(error, {
          operation: 'provisionInstance',
          step: 'one',
          ledger,
        });

        expect(jsonByteLength(ledger.document())).toBeLessThanOrEqual(MAX_BYTES);
        expect(jsonByteLength([message, details])).toBeLessThanOrEqual(MAX_BYTES);
      }),
      { numRuns: 50 },
    );
  });

  it('says how much it does not show', () => {
    const many = Array.from({ length: 500 }, (_, index) => `volume-${index}`.padEnd(36, 'x'));
    const [step] = ledgerThatSays({ text: 'quota', many }).document().steps;

    const shown = step?.resources.length ?? 0;
    expect(shown).toBeGreaterThan(200);
    expect(step?.note).toBe(`${500 - shown} more resources are not shown; quota`);
  });
});
