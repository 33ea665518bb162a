import { describe, expect, it } from '@jest/globals';

import type { DdosProfileView } from '../../../../src/activities/ddos-profiles.js';
import {
  chooseProfile,
  judgeStatus,
  describeContentDrift,
  describeOptionsDrift,
} from '../../../../src/workflows/shared/ddos-profile/judge-profile.js';

function view(change: Partial<DdosProfileView> = {}): DdosProfileView {
  return {
    id: 5,
    address: '203.0.113.7',
    templateId: 12,
    fields: [{ base_field: 3, field_value: [8080], isUsual: false }],
    active: true,
    bgp: false,
    status: 'Active',
    problem: undefined,
    managedBy: 'user',
    ...change,
  };
}

describe('the profile that a run chooses', () => {
  it('is the only one of the address', () => {
    expect(chooseProfile([], undefined)).toEqual({ kind: 'absent' });
    expect(chooseProfile([view()], undefined)).toMatchObject({ kind: 'present' });
  });

  it('is the named profile, or the one that the platform does not manage', () => {
    const two = [view({ managedBy: 'system' }), view({ id: 6 })];

    expect(chooseProfile(two, undefined)).toMatchObject({ resource: { id: 6 } });
    expect(chooseProfile(two, 5)).toMatchObject({ resource: { id: 5 } });
    expect(chooseProfile([two[0] ?? view()], undefined)).toMatchObject({ resource: { id: 5 } });
  });

  it('is not guessed', () => {
    const two = [view(), view({ id: 6 })];

    expect(chooseProfile(two, undefined)).toEqual({
      kind: 'contradiction',
      note: 'The address has several profiles: 5, 6. Name one of them as "profileId".',
    });
    expect(chooseProfile(two, 7)).toMatchObject({
      kind: 'contradiction',
      note: 'The address has no profile 7, only 5, 6.',
    });
  });
});

describe('the drift of a profile', () => {
  const wanted = { templateId: 12, fields: [{ base_field: 3, field_value: [8080] }] };

  it.each<[string, Partial<DdosProfileView>, string | undefined]>([
    ['nothing', {}, undefined],
    ['nothing: numbers came back as texts', field(['8080']), undefined],
    [
      'a port that stands twice',
      field([8080, 8080]),
      'profile 5 has other values than wanted in field 3',
    ],
    ['its template', { templateId: 13 }, 'profile 5 has the template 13, not 12'],
    ['a template at all', { templateId: undefined }, 'profile 5 has the template none, not 12'],
    ['a port', field([]), 'profile 5 has other values than wanted in field 3'],
    ['a value', { fields: [] }, 'profile 5 has other values than wanted in field 3'],
    ['nothing of a field that nobody named and that is as usual', extra(true), undefined],
    ['an empty field', extra(false), 'profile 5 has other values than wanted in field 4'],
  ])('is %s', (_, change, drift) => {
    expect(describeContentDrift(view(change), wanted)).toBe(drift);
  });

  it('is none of a template that does not show, once the API has carried out the call', () => {
    const untold = view({ templateId: undefined });

    expect(describeContentDrift(untold, wanted, true)).toBeUndefined();
    expect(describeContentDrift(view({ templateId: 13 }), wanted, true)).toContain('template 13');
    expect(describeContentDrift({ ...untold, fields: [] }, wanted, true)).toContain('field 3');
  });

  it('ignores the order of the keys of an object, and takes null for the default value', () => {
    const fields = [{ base_field: 3, field_value: [{ a: 1, b: 2 }], isUsual: false }];
    const swapped = [{ base_field: 3, field_value: [{ b: 2, a: 1 }] }];

    expect(
      describeContentDrift(view({ fields }), { templateId: 12, fields: swapped }),
    ).toBeUndefined();
    const none = { templateId: 12, fields: [{ base_field: 3, field_value: null }] };
    expect(describeContentDrift(view({ fields: [] }), none)).toBeUndefined();
    expect(describeContentDrift(view(), none)).toBeDefined();
  });

  it('names a difference in active or bgp', () => {
    expect(describeOptionsDrift(view(), { active: true, bgp: false })).toBeUndefined();
    expect(describeOptionsDrift(view(), { active: false, bgp: false })).toBe('profile 5 is active');
    expect(describeOptionsDrift(view(), { active: true, bgp: true })).toBe('profile 5 has bgp off');
  });

  function field(field_value: unknown): Partial<DdosProfileView> {
    return { fields: [{ base_field: 3, field_value, isUsual: false }] };
  }

  function extra(isUsual: boolean): Partial<DdosProfileView> {
    return { fields: [...view().fields, { base_field: 4, field_value: 100, isUsual }] };
  }
});

describe('the status of a profile', () => {
  it.each<[string, Partial<DdosProfileView>]>([
    ['agrees', { status: 'Active' }],
    ['agrees', { status: 'Updated' }],
    ['agrees', { status: 'A word of next year' }],
    ['agrees', { status: undefined }],
    ['under-way', { status: 'Queued' }],
    ['under-way', { status: 'Updating' }],
    ['broken', { status: 'Error' }],
    ['broken', { status: 'Error Deleting' }],
    ['broken', { status: 'Updated', problem: 'It broke' }],
    ['contradicts', { status: 'Inactive' }],
    ['agrees', { status: 'Inactive', active: false }],
  ])('%s: %j', (kind, change) => {
    expect(judgeStatus(view(change)).kind).toBe(kind);
  });
});
