import { describe, expect, it } from '@jest/globals';

import {
  abortUpdate,
  restoreUpdate,
  resumeUpdate,
  statusQuery,
} from '../../../src/engine/core/messages.js';
import { callByHand } from '../../support/http/call-by-hand.js';
import {
  ACTION,
  ADDRESS,
  ONE_PROFILE,
  PORTS,
  PROFILES_PATH,
  protectInput,
  stateWithProfiles,
} from '../../support/inputs/protect-input.js';
import { endOfRun, failureOfRun } from '../../support/runs/run-failure.js';
import { inScenario } from '../../simulation/scenario.js';
import { untilBlocked } from '../../support/runs/until-blocked.js';
import { until } from '../../support/timing/until.js';
const LIST = { method: 'GET', path: PROFILES_PATH };
const CREATE = { method: 'POST', path: PROFILES_PATH };
const PATCH = { method: 'PATCH', path: ONE_PROFILE };
const SWITCH = { method: 'POST', path: ACTION };
const BROKEN = { kind: 'task-error', error: 'The scrubbing centre does not answer' } as const;
const AS_BEFORE = { profile_template: { id: 13 }, options: { active: false } };

describe('protectIp with an API that fails', () => {
  it('fails when the activation ends in ERROR, and removes the profile that it made', () =>
    inScenario(
      { profileBirth: 'off', record: 'activation-failed' },
      async ({ start, simulator }) => {
        simulator.faults.add({ match: SWITCH, action: BROKEN });

        const run = await start('protectIp', protectInput());
        const failure = await failureOfRun(run);

        expect(failure).toMatchObject({
          type: 'TaskFailed',
          message: expect.stringContaining('The scrubbing centre does not answer'),
          details: { step: 'activate profile', resources: [] },
        });
        expect(failure.message).toContain('is not active');
        expect(simulator.inventory().ddosProfiles).toEqual([]);
        const { steps } = await run.query(statusQuery);
        expect(steps.map(({ state, note }) => [state, note])).toMatchObject([
          ['verified', 'the address has no profile yet'],
          ['undone', 'removed, and verified as gone'],
          ['undone', 'removed together with the profile'],
          ['planned', undefined],
        ]);
      },
    ));

  it('restores a profile that existed before', () =>
    inScenario({ state: stateWithProfiles([ADDRESS]) }, async ({ start, simulator }) => {
      simulator.faults.add({ match: SWITCH, action: BROKEN });

      const run = await start('protectIp', protectInput());
      const failure = await failureOfRun(run);

      expect(failure).toMatchObject({ type: 'TaskFailed', details: { resources: [] } });
      const [profile] = simulator.inventory().ddosProfiles;
      expect(profile).toMatchObject(AS_BEFORE);
      expect(profile?.fields[0]?.field_value).toBe(27015);
      const { steps } = await run.query(statusQuery);
      expect(steps[1]).toMatchObject({
        state: 'undone',
        note: 'profile 1 is as it was: template 13, not active',
      });
    }));

  it('keeps its profile with onFailure "keep", and names it', () =>
    inScenario({ profileBirth: 'off' }, async ({ start, simulator }) => {
      simulator.faults.add({ match: SWITCH, action: BROKEN });

      const run = await start('protectIp', protectInput({ onFailure: 'keep' }));
      const { details } = await failureOfRun(run);

      const [profile] = simulator.inventory().ddosProfiles;
      expect(profile).toMatchObject({ options: { active: false } });
      expect(details.resources).toEqual([{ kind: 'ddos-profile', id: String(profile?.id) }]);
    }));

  it.each(['none', 'profile'] as const)(
    'leaves nothing behind when the create fails (leftovers: %s)',
    (leftovers) =>
      inScenario({}, async ({ start, simulator }) => {
        simulator.faults.add({ match: CREATE, action: { ...BROKEN, leftovers } });

        const { type, details } = await failureOfRun(await start('protectIp', protectInput()));

        expect([type, details.step, details.resources]).toEqual([
          'TaskFailed',
          'configure profile',
          [],
        ]);
        expect(simulator.inventory().ddosProfiles).toEqual([]);
      }),
  );

  it('never reports success while the profile does not show as active', () =>
    inScenario({ state: stateWithProfiles([ADDRESS]) }, async ({ start, simulator, mutations }) => {
      const action = { kind: 'list-lag', ms: 3_600_000 } as const;
      simulator.faults.add({ match: { ...SWITCH, times: Infinity }, action });
      const run = await start('protectIp', protectInput());

      await untilBlocked(run, 'OutcomeUnknown');

      const { blocked } = await run.query(statusQuery);
      expect(blocked?.message).toContain('profile 1 is not active');
      expect(mutations().filter((call) => call.endsWith('/action'))).toHaveLength(1);
      await run.executeUpdate(abortUpdate, { args: [{}] });
      expect((await failureOfRun(run)).type).toBe('Aborted');
    }));

  it('waits until the list shows its changes', () =>
    inScenario({ state: stateWithProfiles([ADDRESS]) }, async ({ start, simulator, mutations }) => {
      for (const match of [PATCH, SWITCH]) {
        simulator.faults.add({ match, action: { kind: 'list-lag', ms: 300 } });
      }

      const { after } = await (await start('protectIp', protectInput())).result();

      expect(after).toMatchObject({ active: true, profile: { fields: [PORTS] } });
      expect(mutations()).toHaveLength(2);
    }));

  it.each([
    ['create', CREATE, []],
    ['PATCH', PATCH, [ADDRESS]],
    ['activation', SWITCH, [ADDRESS]],
  ] as const)('sends no second call when the answer to the %s is lost', (_, match, addresses) =>
    inScenario({ state: stateWithProfiles(addresses) }, async ({ start, simulator, mutations }) => {
      simulator.faults.add({ match, action: { kind: 'drop-response' } });

      await (await start('protectIp', protectInput())).result();

      const { ddosProfiles } = simulator.inventory();
      expect(ddosProfiles).toMatchObject([{ options: { active: true } }]);
      const creates = mutations().filter((call) => call === `POST ${PROFILES_PATH}`);
      expect(creates).toHaveLength(1 - addresses.length);
    }),
  );

  it('makes the profile again when the call with the lost answer turns out to have failed', () =>
    inScenario({ speed: 10 }, async ({ start, simulator, mutations }) => {
      simulator.faults.add({ match: CREATE, action: { kind: 'drop-response' } });
      const error = 'No valid host was found';
      simulator.faults.add({
        match: CREATE,
        action: { kind: 'task-error', error, leftovers: 'none' },
      });

      const run = await start('protectIp', protectInput());
      await run.result();

      expect(mutations().filter((call) => call === `POST ${PROFILES_PATH}`)).toHaveLength(2);
      const profiles = simulator.inventory().ddosProfiles;
      expect(profiles.map(({ options }) => options.active)).toEqual([true]);
    }));

  it('treats an answer without tasks as done, and verifies it', () =>
    inScenario({ state: stateWithProfiles([ADDRESS]) }, async ({ start, simulator }) => {
      const action = { kind: 'status', status: 200, body: { tasks: [] }, afterProcessing: true };
      simulator.faults.add({ match: PATCH, action: { ...action, kind: 'status' } });

      const { after } = await (await start('protectIp', protectInput())).result();

      expect(after.profile.profile_template).toBe(12);
    }));

  it('reads the profile when the API has forgotten a task', () =>
    inScenario({ state: stateWithProfiles([ADDRESS]) }, async ({ start, simulator }) => {
      const action = { kind: 'status', status: 404 } as const;
      const path = /^\/cloud\/v1\/tasks/;
      simulator.faults.add({ match: { method: 'GET', path, times: Infinity }, action });

      const { after } = await (await start('protectIp', protectInput())).result();

      expect(after.active).toBe(true);
    }));
});

describe('a change of a profile that the API turns away with 409', () => {
  const turnAway = (message: string, match: object) =>
    ({
      match: { ...match, times: Infinity },
      action: { kind: 'status', status: 409, body: { message } },
    }) as const;

  it('is a refusal where nothing says that it passes, in the words of the API', () =>
    inScenario({ state: stateWithProfiles([ADDRESS]) }, async ({ start, simulator, mutations }) => {
      simulator.faults.add(turnAway('The template does not fit', PATCH));

      const failure = await failureOfRun(await start('protectIp', protectInput()));

      expect(failure).toMatchObject({ type: 'InvalidRequest' });
      expect(failure.message).toContain('The template does not fit');
      expect(mutations()).toHaveLength(3);
    }));

  it('blocks the run after ten times where its words name a lock, and goes on after resume', () =>
    inScenario(
      { state: stateWithProfiles([ADDRESS]), policy: { probeMs: 600_000 } },
      async ({ start, simulator, mutations }) => {
        simulator.faults.add(turnAway('The profile is locked', PATCH));
        const run = await start('protectIp', protectInput());
        await untilBlocked(run, 'ResourceBusy');
        const before = mutations().length;

        simulator.faults.clear();
        await run.executeUpdate(resumeUpdate, { args: [{}] });

        expect((await run.result()).after.active).toBe(true);
        expect(before).toBe(10);
      },
    ));

  it('leaves a rollback that says why it could not undo', () =>
    inScenario({ state: stateWithProfiles([ADDRESS]) }, async ({ start, simulator, mutations }) => {
      simulator.faults.add({ match: SWITCH, action: BROKEN });
      const run = await start('protectIp', protectInput());
      await until('the content is sent', () => mutations().length > 0);
      simulator.faults.add(turnAway('The template does not fit', PATCH));

      await failureOfRun(run);

      const { steps } = await run.query(statusQuery);
      const notes = steps.map(({ note }) => note).join();
      expect(notes).toContain('could not be undone: The API refuses the call');
    }));
});

describe('a corrected input that names another profile', () => {
  it('has the first one put back, whatever its failed task has left, and leaves it alone from then on', () =>
    inScenario({ state: stateWithProfiles([ADDRESS, ADDRESS]) }, async (scenario) => {
      const { start, account, api, simulator, mutations } = scenario;
      const error = 'Quota limit exceeded';
      simulator.faults.add({ match: PATCH, action: { kind: 'task-error', error } });
      const run = await start('protectIp', {
        ...protectInput({ profileId: 1 }),
        holdFor: '1 hour',
      });
      await untilBlocked(run, 'QuotaExceeded');
      // As the task has left it.
      await callByHand(api, `PATCH ${PROFILES_PATH}/1`, protectInput().profile);
      const profiles = () =>
        [...simulator.inventory().ddosProfiles].sort((one, other) => one.id - other.id);
      await until('it is left so', () => profiles()[0]?.profile_template?.id === 12);

      const input = { ...protectInput({ profileId: 2 }), holdFor: '1 hour', account };
      await run.executeUpdate(resumeUpdate, { args: [{ input }] });
      await until('the other one is protected', async () => {
        const { waiting } = await run.query(statusQuery);
        return waiting?.holds !== undefined;
      });

      expect(profiles()).toMatchObject([AS_BEFORE, { profile_template: { id: 12 } }]);
      const before = mutations().length;
      await run.executeUpdate(restoreUpdate);
      expect(await run.result()).toMatchObject({ profileId: 2, restored: true });
      expect(profiles()).toMatchObject([AS_BEFORE, AS_BEFORE]);
      const since = mutations().slice(before);
      expect(since.filter((call) => call.includes(`${PROFILES_PATH}/1`))).toEqual([]);
    }));
});

describe('a cancelled protectIp', () => {
  it('waits for its call and restores the earlier profile', () =>
    inScenario(
      { state: stateWithProfiles([ADDRESS]), record: 'protection-cancelled' },
      async ({ start, simulator, mutations }) => {
        const run = await start('protectIp', protectInput());
        await until('the PATCH is sent', () => mutations().length > 0);

        await run.cancel();
        await endOfRun(run);

        expect((await run.query(statusQuery)).phase).toBe('cancelled');
        expect(simulator.inventory().ddosProfiles).toMatchObject([AS_BEFORE]);
      },
    ));

  it('restores what the list shows as it was before, because it lags', () => {
    const state = stateWithProfiles([ADDRESS], { templateId: 12, fields: [PORTS] });
    const policy = { reconcileGraceMs: 20_000 };
    return inScenario({ state, policy }, async ({ start, simulator, mutations }) => {
      simulator.faults.add({ match: SWITCH, action: { kind: 'list-lag', ms: 10_000 } });
      const run = await start('protectIp', protectInput());
      await until('the activation is sent', () => mutations().length > 0);

      await run.cancel();
      await endOfRun(run);

      expect(simulator.snapshot().ddosProfiles).toMatchObject([{ templateId: 12, active: false }]);
    });
  });

  it('restores the earlier profile only after a late call has taken effect', () => {
    const options = { timeoutMs: 500, policy: { reconcileGraceMs: 2_000 } };
    return inScenario(
      { state: stateWithProfiles([ADDRESS]), ...options },
      async ({ start, simulator }) => {
        // The run gives the call up, and the API carries it out later.
        simulator.faults.add({ match: PATCH, action: { kind: 'delay', ms: 800 } });
        const run = await start('protectIp', protectInput());
        await until('the PATCH has no answer', async () => {
          const { steps } = await run.query(statusQuery);
          return steps[1]?.state === 'outcome-unknown';
        });

        await run.cancel();
        await endOfRun(run);

        await until('what the late call began has ended', () => {
          const { tasks } = simulator.inventory();
          return tasks.length > 0 && tasks.every(({ state }) => state === 'FINISHED');
        });
        expect(simulator.inventory().ddosProfiles).toMatchObject([AS_BEFORE]);
      },
    );
  });
});

describe('a profile whose status one answer does not tell', () => {
  const AS_WANTED = { templateId: 12, fields: [PORTS], active: true };
  const listing = (profile: object, status: object | null) =>
    ({
      kind: 'status',
      status: 200,
      body: { count: 1, results: [{ ...profile, status }] },
    }) as const;

  it('is repaired when that is an error', () => {
    const status = { status: 'Error', error_description: 'out of rules' };
    const state = stateWithProfiles([ADDRESS], { ...AS_WANTED, status });
    return inScenario({ state }, async ({ mutations, simulator, start }) => {
      const [profile = {}] = simulator.inventory().ddosProfiles;
      simulator.faults.add({ match: LIST, action: listing(profile, null) });
      const run = await start('protectIp', protectInput());

      await expect(run.result()).resolves.toMatchObject({ profileId: 1 });

      expect(mutations()).toContain(`PATCH ${PROFILES_PATH}/1`);
    });
  });

  it('is no success while the others tell that it is under way', () => {
    const status = { status: 'Queued', error_description: '' };
    const state = stateWithProfiles([ADDRESS], { ...AS_WANTED, status });
    return inScenario({ state }, async ({ simulator, start }) => {
      const [profile = {}] = simulator.inventory().ddosProfiles;
      simulator.faults.add({ match: { ...LIST, nth: 3 }, action: listing(profile, null) });
      const run = await start('protectIp', protectInput());
      await until('it has looked on', () => {
        const looks = simulator.requests.filter(({ path }) => path === PROFILES_PATH);
        return looks.length > 5;
      });
      const action = listing(profile, { status: 'Active', error_description: '' });
      simulator.faults.add({ match: { ...LIST, times: Infinity }, action });

      await expect(run.result()).resolves.toMatchObject({ status: 'Active' });
    });
  });
});
