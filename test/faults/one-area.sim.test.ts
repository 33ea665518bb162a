import { describe, expect, it } from '@jest/globals';

import { abortUpdate } from '../../src/engine/core/messages.js';
import { provisionInput } from '../support/inputs/provision-input.js';
import { failureOfRun } from '../support/runs/run-failure.js';
import { inScenario } from '../simulation/scenario.js';
import { untilBlocked } from '../support/runs/until-blocked.js';
import { until } from '../support/timing/until.js';
import { holdTaskReads } from '../support/worlds/hold-task-reads.js';
const KEY_REFUSED = { kind: 'status', status: 401, body: { message: 'Bad token' } } as const;
const LONGER_THAN_THE_TEST_MS = 3_600_000;

describe('an area of the API that refuses the key', () => {
  it('keeps no aborted run from removing what it made in another area', () =>
    inScenario(
      { breakers: { keyProbeMs: LONGER_THAN_THE_TEST_MS } },
      async ({ start, simulator, mutations }) => {
        simulator.faults.add({
          match: { path: /^\/storage/, times: Infinity },
          action: KEY_REFUSED,
        });
        const release = holdTaskReads(simulator);
        const run = await start('provisionInstance', provisionInput());
        await until('the create was sent', () => mutations().length === 1);
        const refused = await start('listSshKeys', {});
        await untilBlocked(refused, 'Unauthorized');

        await run.executeUpdate(abortUpdate, { args: [{}] });
        release();
        const failed = await failureOfRun(run);
        await refused.executeUpdate(abortUpdate, { args: [{}] });
        await failureOfRun(refused);

        expect(failed).toMatchObject({ type: 'Aborted', details: { resources: [] } });
        expect(simulator.inventory().instances).toEqual([]);
      },
    ));
});
