import { afterAll, describe, expect, it } from '@jest/globals';

import {
  ACTION,
  ADDRESS,
  ONE_PROFILE,
  protectInput,
  stateWithProfiles,
} from '../../support/inputs/protect-input.js';
import { closeScenarios, inScenario } from '../../support/runs/scenario.js';

afterAll(closeScenarios);

describe('a profile that the API changes at once, without a task', () => {
  it('is restored at the end of the hold', () =>
    inScenario({ state: stateWithProfiles([ADDRESS]) }, async ({ start, simulator }) => {
      const body = { tasks: [] };
      const action = { kind: 'status', status: 200, body, afterProcessing: true } as const;
      simulator.faults.add({
        match: { method: 'PATCH', path: ONE_PROFILE, times: Infinity },
        action,
      });
      simulator.faults.add({ match: { method: 'POST', path: ACTION, times: Infinity }, action });

      const run = await start('protectIp', protectInput({ holdFor: '1 second' }));
      const result = await run.result();

      expect(result).toMatchObject({ restored: true, after: { active: true } });
      expect(simulator.inventory().ddosProfiles).toMatchObject([
        { profile_template: { id: 13 }, options: { active: false } },
      ]);
    }));
});
