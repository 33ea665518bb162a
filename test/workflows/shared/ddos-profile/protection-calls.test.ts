import { describe, expect, it } from '@jest/globals';

import type { DdosProfileView } from '../../../../src/activities/ddos-profiles.js';
import { createDraft } from '../../../../src/engine/plan/planning.js';
import {
  changesOf,
  lostFields,
  planProtection,
  type PlannedProtection,
} from '../../../../src/workflows/shared/ddos-profile/protection-calls.js';

const PROFILE: DdosProfileView = {
  id: 5,
  address: '203.0.113.7',
  templateId: 13,
  fields: [{ base_field: 7, field_value: 27015, isUsual: false }],
  active: false,
  bgp: false,
  status: 'Updated',
  problem: undefined,
  managedBy: 'user',
};

const INTENT = {
  ip_address: '203.0.113.7',
  profile_template: 12,
  fields: [{ base_field: 3, field_value: [8080] }],
};
/** What the profile is already. */
const SAME = {
  ip_address: '203.0.113.7',
  profile_template: 13,
  fields: [{ base_field: 7, field_value: 27015 }],
};

const planned = (change: Partial<PlannedProtection> = {}): PlannedProtection => ({
  place: { projectId: 1, regionId: 1 },
  before: PROFILE,
  intent: INTENT,
  active: true,
  onFailure: 'rollback',
  path: 'profile',
  ...change,
});

function planOf(change: Partial<PlannedProtection>) {
  const draft = createDraft('protectIp');
  planProtection(draft, planned(change));
  const plan = draft.finish();
  const writes = plan.calls.filter(({ method }) => method !== 'GET');
  return { ...plan, writes: writes.map(({ method, path }) => `${method} ${path}`) };
}

const PROFILES = '/cloud/v1/ddos/profiles/1/1';

describe('the plan of a protection', () => {
  it.each([
    ['no profile', { before: undefined }, ['create', true]],
    ['no profile, not to be active', { before: undefined, active: false }, ['create', true]],
    ['another template', {}, ['update', true]],
    ['the same content, not active', { intent: SAME }, ['none', true]],
    ['all as wanted', { intent: SAME, active: false }, ['none', false]],
    ['another bgp', { intent: SAME, active: false, bgp: true }, ['none', true]],
    [
      'the same content with a broken status',
      { intent: SAME, active: false, before: { ...PROFILE, status: 'Error' } },
      ['update', false],
    ],
  ] as const)('with %s', (_, change, [content, options]) => {
    expect(changesOf(planned(change))).toMatchObject({ content, options });
  });

  it.each([
    [
      'removes a profile that was made',
      { before: undefined },
      [
        `POST ${PROFILES}`,
        `POST ${PROFILES}/{profile_id}/action`,
        `DELETE ${PROFILES}/{profile_id}`,
      ],
    ],
    [
      'puts content and options back',
      {},
      [
        `PATCH ${PROFILES}/5`,
        `POST ${PROFILES}/5/action`,
        `PATCH ${PROFILES}/5`,
        `POST ${PROFILES}/5/action`,
      ],
    ],
    [
      'puts back only what was changed',
      { intent: SAME },
      [`POST ${PROFILES}/5/action`, `POST ${PROFILES}/5/action`],
    ],
    ['puts nothing back that was not changed', { intent: SAME, active: false }, []],
  ] as const)('at the end of a hold %s', (_, change, writes) => {
    expect(planOf({ ...change, holdFor: '2 hours' }).writes).toEqual(writes);
  });

  it('lists irreversible effects, unless nothing is sent', () => {
    expect(planOf({ onFailure: 'keep' }).irreversible).toEqual([
      expect.stringContaining('Traffic'),
      expect.stringContaining('template 13, not active'),
      expect.stringContaining('leaves what was made'),
    ]);
    expect(planOf({ holdFor: '1 hour' }).irreversible).toEqual([
      expect.stringContaining('Traffic'),
    ]);
    expect(planOf({ intent: SAME, active: false }).irreversible).toEqual([]);
  });

  it('names the fields that the profile would lose', () => {
    const bare = { ...SAME, fields: [] };
    const usual = { ...PROFILE, fields: [{ base_field: 7, field_value: '', isUsual: true }] };

    expect(lostFields(PROFILE, SAME)).toEqual([]);
    expect(lostFields(PROFILE, bare)).toEqual([7]);
    expect(lostFields(PROFILE, { ...SAME, profile_template: 12 })).toEqual([7]);
    expect(lostFields(usual, bare)).toEqual([]);
    expect(planOf({}).findings).toEqual([
      expect.objectContaining({ severity: 'warning', path: 'profile.fields' }),
    ]);
  });

  it('warns about a profile that is broken or managed by the platform', () => {
    const broken = { ...PROFILE, status: 'Error', problem: 'It broke' };
    const system = { ...PROFILE, managedBy: 'system' };

    expect(planOf({ intent: SAME, before: broken }).findings[0]?.message).toContain('It broke');
    expect(planOf({ intent: SAME, before: system }).findings[0]?.message).toContain('platform');
  });

  it('cannot restore a profile without a template', () => {
    const bare = { ...PROFILE, templateId: undefined, fields: [] };

    expect(planOf({ before: bare }).findings).toMatchObject([{ severity: 'warning' }]);
    expect(planOf({ before: bare, holdFor: '1 hour' }).findings).toMatchObject([
      { severity: 'fault', path: 'holdFor' },
    ]);
  });
});
