import { describe, expect, it } from '@jest/globals';

import type { DdosProfileView } from '../../../../src/activities/ddos-profiles.js';
import {
  intendProfile,
  whyUnprotectable,
} from '../../../../src/workflows/shared/ddos-profile/intended-profile.js';

const PORTS = { base_field: 3, field_value: [8080] };
const NO_FAULTS = { faults: [], faultsIfBare: [] };
const BARE = { path: 'profile.fields', message: 'lack the field 3' };
const before: DdosProfileView = {
  id: 5,
  address: '203.0.113.7',
  templateId: 12,
  active: true,
  bgp: false,
  fields: [{ ...PORTS, isUsual: false }],
  status: 'Active',
  problem: undefined,
  managedBy: 'user',
};
const asked = (fields?: (typeof PORTS)[], template = 12) => ({
  address: '203.0.113.7',
  profile: { profile_template: template, ...(fields && { fields }) },
});

describe('an intended profile', () => {
  it('has the requested fields', () => {
    const { intent, faults } = intendProfile(asked([PORTS]), before, {
      faults: [],
      faultsIfBare: [BARE],
    });

    expect(intent.fields).toEqual([PORTS]);
    expect(faults).toEqual([]);
  });

  it('sends no empty `value`, which the API has no more', () => {
    const asBefore = { ...PORTS, value: null };
    const { intent } = intendProfile(asked([asBefore]), undefined, NO_FAULTS);

    expect(intent.fields).toEqual([PORTS]);
  });

  it('keeps the fields of the profile while the template is the same', () => {
    const check = { faults: [], faultsIfBare: [BARE] };

    expect(intendProfile(asked(), before, check)).toMatchObject({
      intent: { fields: [PORTS] },
      faults: [],
    });
    expect(intendProfile(asked(undefined, 13), before, check)).toMatchObject({
      intent: { profile_template: 13, fields: [] },
      faults: [BARE],
    });
    expect(intendProfile(asked(), undefined, check).faults).toEqual([BARE]);
  });

  it('has the faults of the request, whatever profile exists', () => {
    const unknown = { path: 'profile.profile_template', message: 'is not a template' };

    expect(intendProfile(asked(), before, { faults: [unknown], faultsIfBare: [] }).faults).toEqual([
      unknown,
    ]);
    expect(intendProfile(asked([PORTS]), undefined, NO_FAULTS).faults).toEqual([]);
  });
});

describe('the reason why a profile cannot help', () => {
  it.each([
    [{ isCovered: true, isAccessible: true }, undefined],
    [{ isCovered: false, isAccessible: true }, 'Region 7 has no DDoS protection'],
    [
      { isCovered: true, isAccessible: false, message: 'Ask' },
      'Region 7 does not give this account DDoS protection: Ask',
    ],
  ])('for %j', (seen, why) => {
    expect(whyUnprotectable(7, seen)).toBe(why);
  });
});
