import { describe, expect, it } from '@jest/globals';

import { describeUse } from '../../../src/workflows/shared/holders.js';

describe('describeUse', () => {
  it.each([
    ['attached', { status: 'in-use', attachedTo: ['i-1'] }, 'attached it to instance i-1'],
    ['attached, which the API does not show', { status: 'in-use' }, 'its status is in-use'],
    ['about to be attached', { status: 'attaching' }, 'its status is attaching'],
  ])('says why a volume is kept that is %s', (_, seen, says) => {
    expect(describeUse(seen)).toContain(says);
  });

  it.each(['available', 'error', 'error_deleting', 'creating'])(
    'says nothing of one in status %s that nobody uses',
    (status) => {
      expect(describeUse({ status })).toBeUndefined();
    },
  );
});
