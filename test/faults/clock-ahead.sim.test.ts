import { describe, expect, it } from '@jest/globals';

import { callByHand } from '../support/http/call-by-hand.js';
import { ADDRESS, PROFILES_PATH, protectInput } from '../support/inputs/protect-input.js';
import { createGate } from '../support/timing/gate.js';
import { withClockSetBy } from '../support/timing/set-clock.js';
import { until } from '../support/timing/until.js';
import { pendingCallsOf, withSplitWorkers } from '../support/workers/split-workers.js';
const LIST_PROFILES = { method: 'GET', path: PROFILES_PATH };
const CREATE_PROFILE = { method: 'POST', path: PROFILES_PATH };
const HOUR_MS = 3_600_000;

describe('a worker whose clock is an hour ahead', () => {
  it('does not make an old look count as fresh: the run makes no second profile', () => {
    const freshMs = 500;
    return withSplitWorkers({ policy: { freshMs } }, async (split) => {
      const { simulator, api } = split;
      // Time to hold the look that follows, also on a busy machine.
      const turnedAway = { kind: 'status', status: 429, retryAfter: '5' } as const;
      simulator.faults.add({ match: CREATE_PROFILE, action: turnedAway });
      const gate = createGate();
      const held = { kind: 'delay', afterProcessing: true, until: gate.opened } as const;
      const run = await withClockSetBy(HOUR_MS, async () => {
        const started = await split.start('protectIp', protectInput());
        await until('its create was turned away', () =>
          simulator.requests.some(({ status }) => status === 429),
        );
        simulator.faults.add({ match: { ...LIST_PROFILES, times: Infinity }, action: held });
        await until('it looks again', () => simulator.inFlight().length > 0);
        return started;
      });
      const seenAt = Date.now();
      await split.workflows.stop();
      gate.open();
      await until('the look is answered', async () => (await pendingCallsOf(run)).length === 0);
      await callByHand(api, `POST ${PROFILES_PATH}`, protectInput().profile);
      await until('the look is old', () => Date.now() > seenAt + freshMs);

      await split.workflows.start();
      const result = await run.result();

      expect(result).toMatchObject({ created: false });
      expect(simulator.inventory().ddosProfiles).toMatchObject([{ ip_address: ADDRESS }]);
    });
  });
});
