import { describe, expect, it } from '@jest/globals';

import type { RunFacts } from '../../../src/client/explain/run-facts.js';
import { toExplanation } from '../../../src/client/explain/explain-run.js';
import { closedFacts, failedFacts, ID } from './run-facts.js';

const command = (...words: string[]) => `gcore-workflows ${words.join(' ')}`;

describe('the explanation of a plan that has ended', () => {
  it.each<[string, RunFacts]>([
    ['cancelled', closedFacts('CANCELLED', { ending: { kind: 'cancelled' } })],
    ['failed', failedFacts('NotFound', 'It broke.', { resources: [] })],
    ['terminated', closedFacts('TERMINATED')],
  ])('says that a %s plan changed nothing, and how to plan again', (_, facts) => {
    const plan = { ...facts, workflowId: `plan/${ID}@0a1b2c3d` };

    const { paragraph, next } = toExplanation(plan, command);

    expect(paragraph).toContain('nly reads: nothing was changed.');
    expect(paragraph).not.toMatch(/created|undo|the tag/);
    expect(next).toMatch(/gcore-workflows plan provisionInstance FILE --request-id order-4711$/);
  });

  it('says of one that is made only that it has changed nothing: whether a run can succeed is its result', () => {
    const facts = closedFacts('COMPLETED', { ending: { kind: 'succeeded', resources: [] } });
    const plan = { ...facts, workflowId: `plan/${ID}@0a1b2c3d` };

    const { paragraph } = toExplanation(plan, command);

    expect(paragraph).toContain('It only reads: nothing was changed.');
    expect(paragraph).not.toContain('done and verified');
  });
});
