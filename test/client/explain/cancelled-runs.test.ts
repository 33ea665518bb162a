import { describe, expect, it } from '@jest/globals';

import type { RunFacts } from '../../../src/client/explain/run-facts.js';
import { toExplanation } from '../../../src/client/explain/explain-run.js';
import { at, closedFacts, INSTANCE } from './run-facts.js';

const command = (...words: string[]) => `gcore-workflows ${words.join(' ')}`;
const explain = (facts: RunFacts) => toExplanation(facts, command);
const AGAIN = 'gcore-workflows provision --file FILE --request-id order-4711';

describe('the explanation of a cancelled run without a worker', () => {
  it('names what a cancelled run left, or says that nothing is left', () => {
    const ending = { kind: 'cancelled' } as const;
    const known = { timers: [], taskIds: [], resourceIds: [INSTANCE], cancelRequestedAt: at(9) };

    const clean = explain(closedFacts('CANCELLED', { ending, past: { ...known, leftIds: [] } }));
    const left = explain(
      closedFacts('CANCELLED', { ending, past: { ...known, leftIds: [INSTANCE] } }),
    );

    expect(clean.paragraph).toContain('ended as cancelled after 40 s');
    expect(clean.paragraph).toContain('Nothing that it created is left, as far as it knows.');
    expect(clean.paragraph).not.toContain(INSTANCE);
    expect(clean.next).toBe(`nothing to do; to start it again: ${AGAIN}`);
    expect(left.paragraph).toContain('as requested at 2026-05-04T03:02:09Z');
    expect(left.paragraph).toContain(INSTANCE);
    expect(left.next).toContain('remove what you do not need');
  });

  it('does not know what a cancelled run left when neither a worker nor the server says it', () => {
    const past = { timers: [], taskIds: [], resourceIds: [INSTANCE] };

    const { paragraph, next } = explain(
      closedFacts('CANCELLED', { ending: { kind: 'cancelled' }, past }),
    );

    expect(paragraph).not.toMatch(/Nothing that it created|still exist/);
    expect(paragraph).toContain(
      `No worker answered, so it is not known what the run has left of ${INSTANCE}. Everything it created carries the tag`,
    );
    expect(next).toContain('look at what exists');
  });
});
