import { describe, expect, it } from '@jest/globals';

import { resumeUpdate } from '../../../src/engine/core/messages.js';
import {
  ADDRESS,
  PORTS,
  PROFILES_PATH,
  protectInput,
  stateWithProfiles,
} from '../../support/inputs/protect-input.js';
import { endOfRun, failureOfRun } from '../../support/runs/run-failure.js';
import { createShortList } from '../../support/http/short-list.js';
import { pass } from '../../support/timing/pass.js';
import { inScenario } from '../../simulation/scenario.js';
import { untilBlocked } from '../../support/runs/until-blocked.js';
describe('protectIp before it changes anything', () => {
  it.each([
    [76, 'Region 76 has no DDoS protection.'],
    [2, 'Region 2 does not give this account DDoS protection: DDoS protection is not enabled'],
  ])('says that it cannot protect in region %i', (regionId, said) =>
    inScenario({}, async ({ start, mutations }) => {
      const run = await start('protectIp', protectInput({ regionId }));
      const { type, message } = await failureOfRun(run);

      expect(type).toBe('InvalidRequest');
      expect(message).toContain(said);
      expect(mutations()).toEqual([]);
    }),
  );

  it('names every field that its template does not accept', () =>
    inScenario({}, async ({ start, mutations }) => {
      const fields = [{ base_field: 3, field_value: [80] }, { base_field: 9 }];
      const profile = { ...protectInput().profile, fields };

      const failure = await failureOfRun(await start('protectIp', protectInput({ profile })));

      expect(failure.type).toBe('InvalidInput');
      expect(failure.details.faults?.map(({ path }) => path)).toEqual([
        'profile.fields[0].field_value[0]',
        'profile.fields[1].base_field',
      ]);
      expect(mutations()).toEqual([]);
    }));

  it('requires the fields of the template, unless the profile has them', () =>
    inScenario({}, async ({ start }) => {
      const bare = { ip_address: ADDRESS, profile_template: 12 };

      const failure = await failureOfRun(await start('protectIp', protectInput({ profile: bare })));
      await (await start('protectIp', protectInput())).result();
      const again = await (await start('protectIp', protectInput({ profile: bare }))).result();

      expect(failure.details.faults?.[0]?.path).toBe('profile.fields');
      expect(again.after.profile.fields).toEqual([PORTS]);
    }));

  it('always sends the fields, because a PATCH without them may clear them', () => {
    const status = { status: 'Error', error_description: 'It broke' };
    const kept = { templateId: 12, fields: [PORTS], status };
    const state = stateWithProfiles([ADDRESS], kept);
    return inScenario({ state, patchWithoutFields: 'clear' }, async ({ start, mutations }) => {
      const bare = { ip_address: ADDRESS, profile_template: 12 };

      const { after } = await (await start('protectIp', protectInput({ profile: bare }))).result();

      expect(mutations()[0]).toBe(`PATCH ${PROFILES_PATH}/1`);
      expect(after).toMatchObject({ active: true, profile: { fields: [PORTS] } });
    });
  });

  it('asks which of several profiles is meant, and accepts the answer', () =>
    inScenario({ state: stateWithProfiles([ADDRESS, ADDRESS]) }, async (scenario) => {
      const { start, account, mutations } = scenario;
      const run = await start('protectIp', protectInput());
      await untilBlocked(run, 'OutcomeUnknown');
      expect(mutations()).toEqual([]);

      const input = { ...protectInput({ profileId: 2 }), account };
      await run.executeUpdate(resumeUpdate, { args: [{ input }] });

      expect((await run.result()).profileId).toBe(2);
    }));

  it.each([1, 2])('asks so also when list %d lacks one of them, and changes none', (nth) =>
    inScenario(
      { state: stateWithProfiles([ADDRESS, ADDRESS]), line: createShortList(PROFILES_PATH, nth) },
      async ({ start, mutations }) => {
        const run = await start('protectIp', protectInput());
        await untilBlocked(run, 'OutcomeUnknown');
        await pass(60_000);

        expect(mutations()).toEqual([]);
        await run.cancel();
        await endOfRun(run);
      },
    ),
  );

  it('refuses a corrected input with another address', () =>
    inScenario({ state: stateWithProfiles([ADDRESS, ADDRESS]) }, async ({ start, account }) => {
      const run = await start('protectIp', protectInput());
      await untilBlocked(run, 'OutcomeUnknown');
      const other = { ...protectInput().profile, ip_address: '203.0.113.99' };

      const input = { ...protectInput({ profile: other }), account };
      const resumed = run.executeUpdate(resumeUpdate, { args: [{ input }] });

      await expect(resumed).rejects.toMatchObject({
        cause: { message: expect.stringContaining('cannot change its address') },
      });
      await run.cancel();
      await endOfRun(run);
    }));

  it('makes all its calls urgent by default', () =>
    inScenario({}, async ({ start }) => {
      const run = await start('protectIp', protectInput());
      await run.result();

      const { events } = await run.fetchHistory();
      const keys = (events ?? []).flatMap(
        ({ activityTaskScheduledEventAttributes: call }) => call?.priority?.priorityKey ?? [],
      );
      expect(new Set(keys)).toEqual(new Set([1]));
    }));
});
