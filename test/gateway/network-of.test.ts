import { describe, expect, it } from '@jest/globals';

import { networkOf } from '../../src/gateway/network-of.js';

describe('the network of an address', () => {
  it.each([
    ['192.0.2.7', '192.0.2.7'],
    ['::ffff:192.0.2.7', '192.0.2.7'],
    ['2001:db8:1:2::1', '8193:3512:1:2'],
    ['2001:DB8:1:2:ffff::9', '8193:3512:1:2'],
    ['none', 'none'],
  ])('of %s is %s: whoever has one IPv6 address has many', (address, network) => {
    expect(networkOf(address)).toBe(network);
  });
});
