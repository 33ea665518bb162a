import { describe, expect, it } from '@jest/globals';

import { abortUpdate, statusQuery } from '../../../src/engine/core/messages.js';
import { inScenario } from '../../simulation/scenario.js';
import { untilBlocked } from '../../support/runs/until-blocked.js';
import { endOfRun } from '../../support/runs/run-failure.js';
import { instanceIdOf, snapshotsOf, stateWithInstances } from '../../support/worlds/instances.js';
import { pass } from '../../support/timing/pass.js';

const ROWS = [{ of: 1 }];
const STATE = { ...stateWithInstances(ROWS), ...snapshotsOf(ROWS) };
describe('a deletion that is blocked', () => {
  it('says since when, however often it tries', () =>
    inScenario({ state: STATE, policy: { probeMs: 60_000 } }, async ({ start }) => {
      const run = await start('deleteInstance', {
        instanceId: instanceIdOf(1),
        volumes: 'delete',
        floatingIps: 'delete',
        unlessSnapshots: true,
      });
      await untilBlocked(run, 'RemovalBlocked');
      const { blocked } = await run.query(statusQuery);
      await pass(600_000);
      const { blocked: later } = await run.query(statusQuery);
      expect(later?.since).toBe(blocked?.since);
      await run.executeUpdate(abortUpdate, { args: [{}] });
      await endOfRun(run);
    }));
});
