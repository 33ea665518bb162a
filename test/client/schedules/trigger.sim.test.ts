import { describe, expect, it } from '@jest/globals';

import { createGcoreWorkflows } from '../../../src/client/gcore-workflows.js';
import type { TriggeredRun } from '../../../src/client/index.js';
import { inScenario } from '../../simulation/scenario.js';

describe('a trigger while no run is open', () => {
  it.each(['skip', 'wait', 'allow'] as const)(
    'of a schedule with the rule %s starts one',
    (overlap) =>
      inScenario({}, async ({ client, taskQueue, account }) => {
        const { schedules } = createGcoreWorkflows({ client, taskQueue });
        const scheduleId = `keys-${account}-${overlap}`;
        await schedules.create('listSshKeys', {
          ...{ scheduleId, input: { account }, overlap },
          ...{ every: '200 days', paused: true },
        });

        const { outcome, workflowId = '' } = await schedules.trigger(scheduleId);
        await client.workflow.getHandle(workflowId).result();
        await schedules.delete(scheduleId);

        expect(outcome).toBe('started');
      }),
  );
});

describe('two triggers of a schedule within a second', () => {
  it('at once never name the same run', async () => {
    const runs = await triggered((trigger) => Promise.all([trigger(), trigger()]));

    const started = runs.flatMap(({ workflowId }) => workflowId ?? []);
    expect(runs.map(({ outcome }) => outcome)).toContain('started');
    expect(new Set(started).size).toBe(started.length);
  });

  it('one after the other start two runs', async () => {
    const runs = await triggered(async (trigger) => [await trigger(), await trigger()]);

    expect(runs.map(({ outcome }) => outcome)).toEqual(['started', 'started']);
    expect(new Set(runs.map(({ workflowId }) => workflowId)).size).toBe(2);
  });
});

function triggered(
  use: (trigger: () => Promise<TriggeredRun>) => Promise<TriggeredRun[]>,
): Promise<TriggeredRun[]> {
  return inScenario({}, async ({ client, taskQueue, account }) => {
    const { schedules } = createGcoreWorkflows({ client, taskQueue });
    const scheduleId = `keys-${account}`;
    await schedules.create('listSshKeys', {
      ...{ scheduleId, input: { account }, overlap: 'allow' },
      ...{ every: '200 days', paused: true },
    });
    const runs = await use(() => schedules.trigger(scheduleId));
    await schedules.delete(scheduleId);
    return runs;
  });
}
