import { describe, expect, it } from '@jest/globals';

import type { RunFacts } from '../../../src/client/explain/run-facts.js';
import { toExplanation } from '../../../src/client/explain/explain-run.js';
import { factsOf, ID } from './run-facts.js';

const command = (...words: string[]) => `gcore-workflows ${words.join(' ')}`;

function explainUnknown(workflowId: string) {
  const { namespace, observedAt, calls, past } = factsOf();
  const facts: RunFacts = { workflowId, namespace, observedAt, calls, past };
  return toExplanation(facts, command);
}

describe('the explanation of an unknown run', () => {
  it('names the namespace, and how to find the right id', () => {
    const { paragraph, next } = explainUnknown(ID);

    expect(paragraph).toContain(`There is no run "${ID}" in the namespace "blue"`);
    expect(next).toBe('find the right id: gcore-workflows list');
  });

  it.each([
    [ID, `Everything it created carries the tag workflow-request = blue/${ID}`],
    ['protect-ip/default/203.0.113.7', 'The profile of the address shows what it did'],
    ['import-videos/default/sports', 'The list of videos shows what it has created'],
    [`plan/${ID}@0a1b2c3d`, 'A plan only reads'],
    ['my-own-id', 'Everything it created carries the tag'],
  ])('says where to look for what %s has made', (workflowId, where) => {
    expect(explainUnknown(workflowId).paragraph).toContain(where);
  });

  it('promises a tag only for what has one', () => {
    const { paragraph } = explainUnknown('grant-sftp-access/default/keys-7');

    expect(paragraph).not.toContain('tag');
  });
});
