import { describe, expect, it } from '@jest/globals';

import type { Simulator } from '../../src/simulator/index.js';
import { provisionInput } from '../support/inputs/provision-input.js';
import { inScenario } from '../simulation/scenario.js';
import { until } from '../support/timing/until.js';
const CREATE = 'POST /cloud/v2/instances/1/1';
const ENDED_WITHIN_MS = 150_000;

describe('a create that waits for its turn', () => {
  it.concurrent(
    'is not sent when its run was terminated meanwhile',
    () =>
      inScenario(
        { requestsPerSecond: 10, timeoutMs: 15_000 },
        async ({ simulator, start, mutations }) => {
          refuseOnce(simulator);
          const run = await start('provisionInstance', provisionInput());
          await until('the create was refused', () => mutations().includes(CREATE));

          await run.terminate();
          // It waits behind the create, because a change goes before the reads of its lane.
          await (await start('listSshKeys', {})).result();

          expect(mutations()).toEqual([CREATE]);
        },
      ),
    ENDED_WITHIN_MS,
  );

  it.concurrent(
    'is sent when its run is still open',
    () =>
      inScenario(
        { requestsPerSecond: 10, timeoutMs: 15_000 },
        async ({ simulator, start, mutations }) => {
          refuseOnce(simulator);
          const run = await start('provisionInstance', provisionInput());

          await run.result();

          expect(mutations()).toEqual([CREATE, CREATE]);
        },
      ),
    ENDED_WITHIN_MS,
  );
});

/** Refuses the first create, and asks for a wait that is longer than a call may wait without a proof. */
function refuseOnce({ faults }: Simulator): void {
  faults.add({
    match: { method: 'POST', path: '/cloud/v2/instances/1/1' },
    action: { kind: 'status', status: 429, retryAfter: '6' },
  });
}
