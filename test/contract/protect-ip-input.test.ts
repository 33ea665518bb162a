import { describe, expect, it } from '@jest/globals';

import { canonicalAddress } from '../../src/contract/wire/address.js';
import { protectIpInputSchema } from '../../src/contract/operations/protect-ip.js';
import { parseInput } from '../../src/engine/schema/parse-input.js';
import { protectInput } from '../support/inputs/protect-input.js';
import { leastCpuMs } from '../support/timing/least-cpu-ms.js';

function faultsOf(input: unknown): string[] {
  const parsed = parseInput(protectIpInputSchema, input);
  return parsed.ok ? [] : parsed.faults.map(({ path, message }) => `${path} ${message}`);
}

describe('the input of protectIp', () => {
  it('accepts every documented field', () => {
    const all = {
      ...protectInput(),
      account: 'blue',
      profileId: 5,
      active: false,
      bgp: true,
      holdFor: '2 hours',
      onFailure: 'keep',
      onBlocked: 'fail',
      deadline: '10 minutes',
    };

    expect(faultsOf(all)).toEqual([]);
    const bare = { profile: { ip_address: '2001:db8::1', profile_template: 12 } };
    expect(faultsOf(bare)).toEqual([]);
  });

  it('lists every fault with its path', () => {
    const input = {
      profile: {
        ip_address: '203.0.113.0/24',
        profile_template: 'web',
        fields: [
          { base_field: 3, field_value: { a: 1 } },
          { base_field: 3, field_value: 1, value: 'x' },
        ],
      },
      holdFor: '2',
      protect: true,
    };

    expect(faultsOf(input)).toEqual([
      'profile.ip_address must be one IP address, not a network',
      'profile.profile_template must be a number',
      'profile.fields[0].field_value must be a list, a number, a text or null',
      'profile.fields[1].value must be null: the API takes values in field_value only',
      'holdFor must be a duration with a unit, such as "90 seconds", "30 minutes", "2h" or "1 day"',
      'protect is not a known field: check the spelling or remove it',
    ]);
  });

  it.each([[null], [[]], [[80, 'x']], [0], ['']])('accepts the value %j of a field', (value) => {
    const fields = [{ base_field: 3, field_value: value }];

    expect(faultsOf({ profile: { ...protectInput().profile, fields } })).toEqual([]);
  });

  it('accepts the empty value that the samples of the API have', () => {
    const fields = [{ base_field: 3, field_value: [80, 443], value: null }];

    expect(faultsOf({ profile: { ...protectInput().profile, fields } })).toEqual([]);
  });

  it('refuses a second value for a field', () => {
    const field = { base_field: 3, field_value: 1 };
    const profile = { ...protectInput().profile, fields: [field, field] };

    expect(faultsOf({ profile })).toEqual([
      'profile.fields[1].base_field repeats field 3: a template field has one value',
    ]);
  });

  it('may have thousands of different fields, which are not compared each with each', async () => {
    const fields = Array.from({ length: 19_000 }, (_, at) => ({ base_field: at + 1 }));
    const parse = () => faultsOf({ profile: { ...protectInput().profile, fields } });

    expect(parse()).toEqual([]);
    expect(await leastCpuMs(250, parse)).toBeLessThan(250);
  });
});

describe('an address', () => {
  it.each([
    ['203.0.113.7', '203.0.113.7'],
    ['203.0.113.7/32', '203.0.113.7'],
    ['203.0.113.0/24', '203.0.113.0/24'],
    ['2001:0DB8:0:0::1', '2001:db8::1'],
    ['2001:db8::1/128', '2001:db8::1'],
    ['2001:db8::/64', '2001:db8::/64'],
    ['::ffff:203.0.113.7', '::ffff:cb00:7107'],
    ['no address', 'no address'],
  ])('%s has the canonical form %s', (text, canonical) => {
    expect(canonicalAddress(text)).toBe(canonical);
  });
});
