import { describe, expect, it } from '@jest/globals';
import type { WorkflowHandle } from '@temporalio/client';

import { resumeUpdate } from '../../../src/engine/core/messages.js';
import { inScenario } from '../../simulation/scenario.js';
import { callByHand } from '../../support/http/call-by-hand.js';
import { replaceInput } from '../../support/operations/replace-instance.js';
import { failureOfRun } from '../../support/runs/run-failure.js';
import { blockedAs } from '../../support/runs/until-blocked.js';
import { until } from '../../support/timing/until.js';
import { instanceIdOf, stateWithInstances } from '../../support/worlds/instances.js';

const STATE = stateWithInstances([{ of: 1 }]);
const DELETE_OLD = { method: 'DELETE', path: `/cloud/v1/instances/1/1/${instanceIdOf(1)}` };
const NO_RIGHT = { kind: 'status', status: 401 } as const;

/** It may not have begun yet. */
const isBlocked = (run: WorkflowHandle): Promise<boolean> =>
  blockedAs(run).then(
    (type) => type !== undefined,
    () => false,
  );

describe('replaceInstance, whose new instance somebody deletes while the old one cannot be deleted yet', () => {
  it('keeps the old one: it is the only one that is left', () =>
    inScenario({ state: STATE, policy: { probeMs: 600_000, freshMs: 500 } }, async (scenario) => {
      const { api, client, simulator, start } = scenario;
      simulator.faults.add({ match: { ...DELETE_OLD, times: Infinity }, action: NO_RIGHT });
      const run = await start(
        'replaceInstance',
        replaceInput({ deleteOld: { volumes: 'delete' } }),
      );
      const part = client.workflow.getHandle(`${run.workflowId}/delete`);
      await until('the deletion is blocked', () => isBlocked(part));
      const made = simulator.inventory().instances.find(({ name }) => name === 'web-new');
      await callByHand(api, `DELETE /cloud/v1/instances/1/1/${made?.id ?? ''}`);
      await until('it is gone', () => simulator.inventory().instances.length === 1);
      simulator.faults.clear();

      await part.executeUpdate(resumeUpdate, { args: [{}] });

      expect(await failureOfRun(run)).toMatchObject({
        type: 'InvalidRequest',
        message: expect.stringContaining('leads to no instance now'),
      });
      expect(simulator.inventory().instances.map(({ name }) => name)).toEqual(['web-1']);
    }));
});
