import { describe, expect, it } from '@jest/globals';

import { failureIn, inActivity } from '../support/http/in-activity.js';
import { createScriptedApi, json } from '../support/http/scripted-api.js';

const PLACE = { projectId: 1, regionId: 2 };
const LIST = { ...PLACE, address: '203.0.113.7' };

function wireProfile(change: Record<string, unknown> = {}) {
  return {
    id: 5,
    ip_address: '203.0.113.7',
    profile_template: { id: 12, name: 'Web', description: null, fields: [] },
    profile_template_description: null,
    fields: [
      { id: 30, base_field: 3, name: 'ports', field_value: [8080], value: null, default: null },
      { id: 31, base_field: 4, name: 'rate', field_value: 100, default: '100' },
      { id: 32, base_field: 5, name: 'x', field_value: null, default: null },
    ],
    options: { active: true, bgp: false },
    protocols: null,
    site: null,
    status: { status: 'Updated', error_description: '' },
    managed_by: 'user',
    ...change,
  };
}

function listing(rows: unknown[]) {
  const count = rows.length;
  return createScriptedApi(({ url }) => {
    const offset = Number(new URL(url).searchParams.get('offset'));
    return json({ count, results: rows.slice(offset, offset + 1_000) });
  });
}

describe('listDdosProfiles', () => {
  it('asks for one address and returns what a run needs', async () => {
    const { activities, requests } = listing([wireProfile()]);

    const profiles = await inActivity(() => activities.listDdosProfiles(LIST));

    expect(profiles).toEqual([
      {
        id: 5,
        address: '203.0.113.7',
        templateId: 12,
        fields: [
          { base_field: 3, field_value: [8080], isUsual: false },
          { base_field: 4, field_value: 100, isUsual: true },
        ],
        active: true,
        bgp: false,
        status: 'Updated',
        problem: undefined,
        managedBy: 'user',
      },
    ]);
    expect(requests.map(({ url }) => url.pathname + url.search)).toEqual([
      '/cloud/v1/ddos/profiles/1/2?ip_address=203.0.113.7&limit=1000',
    ]);
  });

  it('finds the address on any page, in any spelling, with or without the filter of the API', async () => {
    const others = Array.from({ length: 1_000 }, (_, id) =>
      wireProfile({ id, ip_address: '203.0.113.70' }),
    );
    const own = wireProfile({ id: 4711, ip_address: '2001:0DB8:0:0::1/128' });
    const { activities } = listing([...others, own]);

    const profiles = await inActivity(() =>
      activities.listDdosProfiles({ ...PLACE, address: '2001:db8::1' }),
    );

    expect(profiles.map(({ id }) => id)).toEqual([4711]);
  });

  it('does not take a profile without its address for one of another address', async () => {
    const { activities } = listing([wireProfile({ ip_address: null })]);

    const failure = await failureIn(() => activities.listDdosProfiles(LIST));

    expect(failure).toMatchObject({ type: 'UnexpectedResponse' });
    expect(failure.message).toContain('ip_address');
  });

  it('reads a profile with few fields', async () => {
    const bare = { profile_template: null, fields: [], status: null };
    const broken = { status: { status: 'Error', error_description: ' It broke ' } };
    const { activities } = listing([wireProfile(bare), wireProfile({ id: 6, ...broken })]);

    const profiles = await inActivity(() => activities.listDdosProfiles(LIST));

    expect(profiles).toMatchObject([
      { templateId: undefined, fields: [], status: undefined, problem: undefined },
      { status: 'Error', problem: 'It broke' },
    ]);
  });
});

describe('changes of a DDoS profile', () => {
  const intent = { ip_address: '203.0.113.7', profile_template: 12, fields: [] };
  const one = { ...PLACE, profileId: 5 };

  it('send the whole intent, always with fields', async () => {
    const { activities, requests } = createScriptedApi(() => json({ tasks: ['t-1'] }));

    await inActivity(() => activities.createDdosProfile({ ...PLACE, intent, maker: 'maker-1' }));
    await inActivity(() => activities.updateDdosProfile({ ...one, intent }));
    const options = { active: true, bgp: false };
    await inActivity(() => activities.switchDdosProfile({ ...one, options }));

    expect(requests.map(({ method, url, body }) => [method, url.pathname, body])).toEqual([
      ['POST', '/cloud/v1/ddos/profiles/1/2', intent],
      ['PATCH', '/cloud/v1/ddos/profiles/1/2/5', intent],
      ['POST', '/cloud/v1/ddos/profiles/1/2/5/action', options],
    ]);
  });

  it('name the fields of a refusal as the input of the run does', async () => {
    const refusal = {
      exception_class: 'ValidationError',
      invalid_fields: { ip_address: ['is bad'] },
    };
    const { activities } = createScriptedApi(() => json(refusal, 400));

    const failure = await failureIn(() =>
      activities.createDdosProfile({ ...PLACE, intent, maker: 'maker-1' }),
    );

    expect(failure.details?.[0]).toMatchObject({ faults: [{ path: 'profile.ip_address' }] });
  });

  it('have an unknown outcome after a 5xx, so that Temporal repeats no create', async () => {
    const { activities } = createScriptedApi(() => json({}, 503));

    const failure = await failureIn(() =>
      activities.createDdosProfile({ ...PLACE, intent, maker: 'maker-1' }),
    );

    expect(failure).toMatchObject({ type: 'OutcomeUnknown', nonRetryable: true });
  });

  it('succeed when the profile to remove is already gone', async () => {
    const { activities } = createScriptedApi(() => json({}, 404));

    expect(await inActivity(() => activities.deleteDdosProfile(one))).toEqual({
      taskIds: [],
      isGone: true,
    });
  });
});

describe('preflightProtection', () => {
  const templates = [{ id: 12, name: 'Web', fields: [] }];

  function answering(accessibility: Record<string, unknown>) {
    return createScriptedApi(({ url }) => {
      if (url.includes('region_coverage')) return json({ is_covered: true });
      if (url.includes('accessibility')) return json(accessibility);
      return json({ count: 1, results: templates });
    });
  }

  const ask = (accessibility: Record<string, unknown>, profile_template = 12) => {
    const { activities } = answering(accessibility);
    return activities.preflightProtection({ regionId: 2, profile: { profile_template } });
  };

  it('answers three questions with one result', async () => {
    const { activities, requests } = answering({ is_accessible: true });

    const answer = await inActivity(() =>
      activities.preflightProtection({ regionId: 2, profile: { profile_template: 12 } }),
    );

    expect(answer).toEqual({
      isCovered: true,
      isAccessible: true,
      message: undefined,
      check: { faults: [], faultsIfBare: [] },
    });
    expect(requests.map(({ url }) => url.pathname).sort()).toEqual([
      '/cloud/v1/ddos/accessibility/2',
      '/cloud/v1/ddos/profile-templates/2',
      '/cloud/v1/ddos/region_coverage/2',
    ]);
  });

  it('names the missing template and the existing ones', async () => {
    const { check } = await inActivity(() => ask({ is_accessible: true }, 13));

    expect(check.faults).toEqual([
      {
        path: 'profile.profile_template',
        message: 'is not a template of this region; it has 12 (Web)',
      },
    ]);
    expect(check.faultsIfBare).toEqual(check.faults);
  });

  it.each([403, null])('says no with the reason (%s)', async (http_code) => {
    const body = { is_accessible: false, message: 'Not enabled', http_code };

    expect(await inActivity(() => ask(body))).toMatchObject({
      isAccessible: false,
      message: 'Not enabled',
    });
  });

  it('is repeated while the service behind the API fails', async () => {
    const body = { is_accessible: false, message: 'Gateway', http_code: 502 };

    const failure = await failureIn(() => ask(body));

    expect(failure).toMatchObject({ type: 'ServiceUnavailable', nonRetryable: false });
  });
});
