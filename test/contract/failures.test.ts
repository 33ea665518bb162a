import { describe, expect, it } from '@jest/globals';

import { withoutAdvice } from '../../src/contract/failures.js';

describe('withoutAdvice', () => {
  it('leaves what a reader of both has not read yet', () => {
    expect(withoutAdvice('The key was refused. Mend it. Status 401.', 'Mend it.')).toBe(
      'The key was refused. Status 401.',
    );
  });

  it('leaves a message as it is where no advice is known', () => {
    expect(withoutAdvice('The key was refused.')).toBe('The key was refused.');
  });
});
