import { describe, expect, it } from '@jest/globals';

import { createGcoreWorkflows, RunEndedError } from '../../src/client/index.js';
import { inScenario } from '../simulation/scenario.js';
import { CREATE_PATH, provisionInput } from '../support/inputs/provision-input.js';
import { resetRun } from '../support/runs/reset-run.js';
import { until } from '../support/timing/until.js';
import { holdTaskReads } from '../support/worlds/hold-task-reads.js';

const PROVISION = 'provisionInstance';

describe('whoever waits for the result of a run', () => {
  it('gets that of the run as it goes on after a reset', () =>
    inScenario({}, async ({ client, taskQueue, account, simulator }) => {
      const gcore = createGcoreWorkflows({ client, taskQueue });
      const release = holdTaskReads(simulator);
      const request = { requestId: 'order-1', input: { ...provisionInput(), account } };
      const { workflowId } = await gcore.start(PROVISION, request);
      const result = gcore.result(PROVISION, workflowId);
      await until('it waits for its task', () => simulator.inventory().instances.length > 0);

      await resetRun(client, client.workflow.getHandle(workflowId), 'the last workflow task');
      release();

      await expect(result).resolves.toMatchObject({ status: 'ACTIVE' });
    }));

  it('gets that of the run it has started, although another one has its Workflow Id now', () =>
    inScenario({}, async ({ client, taskQueue, account, simulator }) => {
      const gcore = createGcoreWorkflows({ client, taskQueue });
      simulator.faults.add({
        match: { method: 'POST', path: CREATE_PATH },
        action: { kind: 'task-error', error: 'no luck' },
      });
      const request = { requestId: 'order-1', input: { ...provisionInput(), account } };
      const run = await gcore.start(PROVISION, request);
      await until('it has failed', async () => (await gcore.failure(run.workflowId)) !== undefined);
      const again = await gcore.retry(run);

      await expect(gcore.result(PROVISION, run)).rejects.toThrow('no luck');
      await expect(gcore.status(run)).rejects.toThrow(RunEndedError);
      await expect(gcore.result(PROVISION, again)).resolves.toMatchObject({ status: 'ACTIVE' });
      expect(await gcore.start(PROVISION, request)).toMatchObject({
        outcome: 'succeeded-before',
        runId: again.runId,
      });
    }));
});
