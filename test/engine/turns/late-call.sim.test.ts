import { describe, expect, it } from '@jest/globals';
import type { WorkflowHandle } from '@temporalio/client';

import { abortUpdate, extendUpdate, statusQuery } from '../../../src/engine/core/messages.js';
import { inScenario, type Scenario } from '../../simulation/scenario.js';
import {
  ADDRESS,
  ONE_PROFILE,
  PROFILES_PATH,
  protectInput,
  stateWithProfiles,
} from '../../support/inputs/protect-input.js';
import { endOfRun } from '../../support/runs/run-failure.js';
import { until } from '../../support/timing/until.js';

/** Longer than the call waits for its answer: it arrives when its run has given it up. */
const LATE = { kind: 'delay', ms: 6_000 } as const;
const ARRIVED_MS = 12_000;

/** What the first run of an address asks for. */
const EARLIER = {
  ip_address: ADDRESS,
  profile_template: 12,
  fields: [{ base_field: 3, field_value: [1111] }],
};

const profiles = ({ simulator }: Scenario) =>
  simulator.inventory().ddosProfiles.map(({ ip_address: address, fields }) => ({
    address,
    values: fields.map(({ value, field_value }) => field_value ?? value),
  }));

async function untilSent({ simulator }: Scenario, asked: string): Promise<void> {
  await until('the call is sent', () =>
    simulator.inFlight().some(({ method }) => method === asked),
  );
}

async function untilItHasArrived(): Promise<void> {
  await new Promise((resolve) => setTimeout(resolve, ARRIVED_MS));
}

/** Cancels the first run, and protects by a second one before the late call of the first has arrived. Gives what the second made. */
async function protectedAfter(scenario: Scenario, first: WorkflowHandle) {
  await first.cancel();
  await endOfRun(first);

  const second = await scenario.start('protectIp', protectInput(), 'second');
  await second.result();
  const protectedAs = profiles(scenario);
  await untilItHasArrived();
  return protectedAs;
}

describe('a call that arrives after the run that sent it has ended', () => {
  it('removes nothing that the next run in the turn has made', () =>
    inScenario({ state: stateWithProfiles([ADDRESS]) }, async (scenario) => {
      const { start, simulator } = scenario;
      simulator.faults.add({
        match: { method: 'DELETE', path: `${PROFILES_PATH}/1` },
        action: LATE,
      });
      const removal = await start('removeProtection', { address: ADDRESS });
      await untilSent(scenario, 'DELETE');
      await removal.executeUpdate(abortUpdate, { args: [{}] });
      await endOfRun(removal);

      const protection = await start('protectIp', protectInput());
      await protection.result();
      const protectedAs = profiles(scenario);
      await untilItHasArrived();

      expect(protectedAs).toMatchObject([{ address: ADDRESS }]);
      expect(profiles(scenario)).toEqual(protectedAs);
    }));

  it('changes nothing that the next run in the turn has changed', () =>
    inScenario({ state: stateWithProfiles([ADDRESS]) }, async (scenario) => {
      const { start, simulator } = scenario;
      simulator.faults.add({ match: { method: 'PATCH', path: ONE_PROFILE }, action: LATE });
      const first = await start('protectIp', protectInput({ onFailure: 'keep', profile: EARLIER }));
      await untilSent(scenario, 'PATCH');
      const protectedAs = await protectedAfter(scenario, first);

      expect(protectedAs).toHaveLength(1);
      expect(JSON.stringify(protectedAs)).not.toContain('1111');
      expect(profiles(scenario)).toEqual(protectedAs);
    }));

  it('changes nothing either when the run has gone on in a new history since', () =>
    inScenario(
      { state: stateWithProfiles([ADDRESS]), policy: { mostUpdates: 1 } },
      async (scenario) => {
        const { start, simulator } = scenario;
        simulator.faults.add({ match: { method: 'PATCH', path: ONE_PROFILE }, action: LATE });
        const hold = { onFailure: 'keep', holdFor: '1 hour' } as const;
        const first = await start('protectIp', protectInput({ ...hold, profile: EARLIER }));
        const { runId } = await first.describe();
        await until(
          'it holds',
          async () => (await first.query(statusQuery)).waiting?.holds !== undefined,
        );
        await first.executeUpdate(extendUpdate, { args: [{ holdFor: '2 hours' }] });
        await until('it has gone on', async () => (await first.describe()).runId !== runId);
        const protectedAs = await protectedAfter(scenario, first);

        expect(JSON.stringify(protectedAs)).not.toContain('1111');
        expect(profiles(scenario)).toEqual(protectedAs);
      },
    ));
});
