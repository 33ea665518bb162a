import { describe, expect, it } from '@jest/globals';

import { publicAddressOf } from '../../../../src/workflows/provision-instance/steps/public-address.js';

const VIEW = {
  id: 'i-1',
  name: 'web',
  status: 'ACTIVE',
  flavor: undefined,
  creatorTaskId: undefined,
  addresses: [{ network: 'n', address: '198.18.0.2', type: 'fixed' }],
  volumeIds: [],
  marker: undefined,
};

describe('the public address that a run protects', () => {
  it('is the address that the activity reported', () => {
    expect(publicAddressOf({ ...VIEW, publicAddress: '203.0.113.7' })).toBe('203.0.113.7');
    expect(publicAddressOf({ ...VIEW, publicAddress: null })).toBeUndefined();
  });

  it('stays the same in a history of an earlier version', () => {
    expect(publicAddressOf(VIEW)).toBe('198.18.0.2');
  });

  it.each([
    ...['10.1.2.3', '127.0.0.1', '192.168.0.1', '172.16.0.1', '172.31.255.1', '100.64.0.1'],
    ...['100.127.0.1', '169.254.1.1', 'fd00::1', 'fe80::1', '::1'],
  ])('is never %s, in a history of an earlier version', (address) => {
    const addresses = [{ network: 'n', address, type: 'fixed' }];

    expect(publicAddressOf({ ...VIEW, addresses })).toBeUndefined();
  });
});
