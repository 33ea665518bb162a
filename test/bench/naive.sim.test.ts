import { randomUUID } from 'node:crypto';

import { describe, expect, it } from '@jest/globals';

import { createNaiveWorker } from '../../bench/naive/create-naive-worker.js';
import { CREATE_PATH, provisionInput } from '../support/inputs/provision-input.js';
import { inScenario } from '../simulation/scenario.js';
describe('one lost answer to the create call', () => {
  it('leads to one instance here and to two with a retried activity', () =>
    inScenario({}, async ({ start, simulator, client, connectNative, api }) => {
      const loseAnswer = {
        match: { method: 'POST', path: CREATE_PATH },
        action: { kind: 'drop-response' },
      } as const;
      const { instance } = provisionInput();

      simulator.faults.add(loseAnswer);
      const run = await start('provisionInstance', provisionInput());
      await run.result();
      const ours = simulator.inventory().instances.length;

      simulator.reset();
      simulator.faults.add(loseAnswer);
      const taskQueue = `naive-${randomUUID()}`;
      const connection = await connectNative();
      const naive = await createNaiveWorker({ connection, taskQueue, api });
      await naive.runUntil(
        client.workflow.execute('naiveProvision', {
          workflowId: `naive-${randomUUID()}`,
          taskQueue,
          args: [{ taskQueue, body: instance, pollMs: 50 }],
        }),
      );
      const theirs = simulator.inventory().instances.length;

      expect({ ours, theirs }).toEqual({ ours: 1, theirs: 2 });
    }));
});
