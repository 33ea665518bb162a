import { describe, expect, it } from '@jest/globals';
import type { WorkflowHandle } from '@temporalio/client';

import { pauseUpdate, resumeUpdate, statusQuery } from '../../src/engine/core/messages.js';
import type { FaultMatch } from '../../src/simulator/index.js';
import { CREATE_PATH, provisionInput } from '../support/inputs/provision-input.js';
import { resetRun } from '../support/runs/reset-run.js';
import { failureOfRun } from '../support/runs/run-failure.js';
import { until } from '../support/timing/until.js';
import { leaveAfter } from './leave-after.js';
import { pendingCallsOf, untilQueued, withSplitWorkers } from '../support/workers/split-workers.js';
import {
  existingIdsOf,
  floatingIpOf,
  instanceIdOf,
  stateWithInstances,
} from '../support/worlds/instances.js';
const TEST_MS = 120_000;

const READ_ADDRESS: FaultMatch = {
  method: 'GET',
  path: `/cloud/v1/floatingips/1/1/${floatingIpOf(1)}`,
};

describe('a run that is paused while its create waits for a worker', () => {
  it(
    'creates nothing when the workers are back, and one machine after resume',
    () =>
      withSplitWorkers({}, async (split) => {
        await split.calls.stop();
        const run = await split.start('provisionInstance', provisionInput());
        await untilQueued(run, 'createInstance');

        await run.executeUpdate(pauseUpdate);
        await split.calls.start();
        await until('no call waits', async () => (await pendingCallsOf(run)).length === 0);

        expect((await run.query(statusQuery)).phase).toBe('paused');
        expect(split.mutations()).toEqual([]);
        await run.executeUpdate(resumeUpdate, { args: [{}] });
        await run.result();
        expect(split.mutations()).toEqual([`POST ${CREATE_PATH}`]);
      }),
    TEST_MS,
  );
});

/** A workflow task more: the run does not know the signal. */
async function bringTask(run: WorkflowHandle): Promise<void> {
  const tasksOf = async () =>
    ((await run.fetchHistory()).events ?? []).filter(
      (event) => event.workflowTaskCompletedEventAttributes,
    ).length;
  const before = await tasksOf();
  await run.signal('nothingThatItKnows');
  await until('it has seen the signal', async () => (await tasksOf()) > before);
}

describe('a run that is reset while its delete waits for a worker', () => {
  it(
    'deletes no floating IP that somebody has moved since',
    () =>
      withSplitWorkers({ state: stateWithInstances([{ of: 1 }, { of: 2 }]) }, async (split) => {
        const { client, simulator } = split;
        const first = await leaveAfter(split, READ_ADDRESS, () =>
          split.start('deleteInstance', {
            instanceId: instanceIdOf(1),
            volumes: 'delete',
            floatingIps: 'delete',
          }),
        );
        await untilQueued(first, 'deleteFloatingIp');
        await bringTask(first);
        const again = await resetRun(client, first, 'the last workflow task');
        const moved = { port_id: 'port-2', instance: { id: instanceIdOf(2) } };
        simulator.faults.add({
          match: { ...READ_ADDRESS, times: Infinity },
          action: { kind: 'status', status: 200, body: { id: floatingIpOf(1), ...moved } },
        });

        await split.calls.start();
        const { type } = await failureOfRun(again);

        expect(type).toBe('InvalidRequest');
        expect(existingIdsOf(simulator, 1)).toContain(floatingIpOf(1));
      }),
    TEST_MS,
  );
});
