import { describe, expect, it } from '@jest/globals';

import { nextTryId } from '../../../src/client/retry/next-try-id.js';

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
