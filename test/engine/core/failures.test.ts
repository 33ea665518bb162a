import { describe, expect, it } from '@jest/globals';

import { withoutAdvice } from '../../../src/engine/core/failures.js';

describe('withoutAdvice', () => {
  it('removes the advice from a message', () => {
    expect(withoutAdvice('The key was refused. Mend it. Status 401.', 'Mend it.')).toBe(
      'The key was refused. Status 401.',
    );
  });

  it('keeps a message without known advice', () => {
    expect(withoutAdvice('The key was refused.')).toBe('The key was refused.');
  });
});
