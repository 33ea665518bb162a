import { describe, expect, it } from '@jest/globals';

import { accountOf } from '../../src/client/pollers.js';

describe('accountOf', () => {
  it.each([
    ['provision-instance/blue/order-4711', 'blue'],
    ['provision-instance/blue/a/b', 'blue'],
    ['plan/provision-instance/blue/order-4711@0a1b2c3d', 'blue'],
    ['my-own-id', 'default'],
  ])('reads the account of %s', (id, account) => {
    expect(accountOf(id)).toBe(account);
  });
});
