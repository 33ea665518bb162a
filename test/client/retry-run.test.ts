import { describe, expect, it } from '@jest/globals';

import { onlyFailedLines, nextTryId } from '../../src/client/retry-run.js';

describe('the input for the failed items of an import', () => {
  it('has the lines that failed or were not tried, and the rest of the input', () => {
    const input = { manifest: { url: 'file:a.jsonl' }, lines: '1-9', canary: 4, account: 'blue' };
    const report = {
      outcome: 'viewable' as const,
      lines: '1-9',
      warned: [],
      uploads: '3',
      pending: '4',
      videos: [{ lines: '1-5', ids: '11-15' }],
      failed: [
        { class: 'not-made', text: '', lines: '6' },
        { class: 'encoding', text: '', lines: '2' },
      ],
    };

    expect(onlyFailedLines(input, report)).toEqual({ ...input, lines: '2 6-9' });
  });
});

describe('the next try of an import', () => {
  it.each([
    ['import-videos/default/may', 'import-videos/default/may.retry-1'],
    ['import-videos/default/may.retry-1', 'import-videos/default/may.retry-2'],
    ['own-id.retry-9', 'own-id.retry-10'],
    ['may.retry-x', 'may.retry-x.retry-1'],
    ['may.retry-0', 'may.retry-0.retry-1'],
  ])('of %s is %s', (workflowId, next) => {
    expect(nextTryId(workflowId)).toBe(next);
  });
});
