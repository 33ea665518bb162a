import { describe, expect, it } from '@jest/globals';

import { publicAddressOf } from '../../src/activities/public-address.js';

const fixed = (address: string) => ({ network: 'n', address, type: 'fixed' });
const floating = (address: string) => ({ network: 'n', address, type: 'floating' });

describe('the public address of an instance', () => {
  it.each<[string, Parameters<typeof publicAddressOf>[0], string | undefined]>([
    ['a floating IP first', [fixed('10.0.0.1'), floating('203.0.113.7')], '203.0.113.7'],
    ['its own', [fixed('203.0.113.8')], '203.0.113.8'],
    ['IPv4 before IPv6', [fixed('2001:db8::1'), fixed('203.0.113.8')], '203.0.113.8'],
    ['IPv6 when there is no other', [fixed('10.0.0.1'), fixed('2001:db8::1')], '2001:db8::1'],
    ['one beside a private range', [fixed('172.32.0.1')], '172.32.0.1'],
    ['one beside the range for benchmarks', [fixed('198.20.0.1')], '198.20.0.1'],
    ['none', [], undefined],
  ])('is %s', (_, addresses, address) => {
    expect(publicAddressOf(addresses)).toBe(address);
  });

  it.each([
    ...['10.1.2.3', '127.0.0.1', '192.168.0.1', '172.16.0.1', '172.31.255.1', '100.64.0.1'],
    ...['100.127.0.1', '169.254.1.1', 'fd00::1', 'fe80::1', '::1'],
    ...['198.18.0.1', '198.19.255.254', '::ffff:10.0.0.1'],
  ])('is never %s', (address) => {
    expect(publicAddressOf([fixed(address)])).toBeUndefined();
  });
});
