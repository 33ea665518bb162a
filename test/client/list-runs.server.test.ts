import { randomUUID } from 'node:crypto';

import { defineSearchAttributeKey, SearchAttributeType } from '@temporalio/common';
import { afterAll, describe, expect, it } from '@jest/globals';

import { createGcoreWorkflows } from '../../src/client/index.js';
import { closeScenarios, inScenario } from '../support/runs/scenario.js';
import { until } from '../support/timing/until.js';

afterAll(closeScenarios);

const PHASE = defineSearchAttributeKey('GcorePhase', SearchAttributeType.KEYWORD);

describe('a list', () => {
  it('shows the phase of each run, whatever it has recorded', () =>
    inScenario({}, async ({ client }) => {
      const gcore = createGcoreWorkflows({ client });
      const start = (phase?: string) =>
        client.workflow.start('provisionInstance', {
          workflowId: `list-${randomUUID()}`,
          taskQueue: 'nobody',
          ...(phase !== undefined && { typedSearchAttributes: [{ key: PHASE, value: phase }] }),
        });
      const blocked = await start('blocked');
      const silent = await start();
      const ended = await start('blocked');
      await ended.terminate();
      let phases = new Map<string, string>();

      await until('the list knows them', async () => {
        const runs = await gcore.list(1_000);
        phases = new Map(runs.map(({ workflowId, phase }) => [workflowId, phase]));
        return phases.has(silent.workflowId) && phases.get(ended.workflowId) === 'terminated';
      });

      expect(phases.get(blocked.workflowId)).toBe('blocked');
      expect(phases.get(silent.workflowId)).toBe('running');
      await Promise.all([blocked.terminate(), silent.terminate()]);
    }));

  it('ends at its limit', () =>
    inScenario({}, async ({ client }) => {
      const starts = [1, 2, 3].map(() =>
        client.workflow.start('provisionInstance', {
          workflowId: `list-${randomUUID()}`,
          taskQueue: 'nobody',
        }),
      );
      const handles = await Promise.all(starts);
      const gcore = createGcoreWorkflows({ client });
      await until('the list has runs', async () => (await gcore.list(3)).length === 3);

      const runs = await gcore.list(2);

      expect(runs).toHaveLength(2);
      await Promise.all(handles.map((handle) => handle.terminate()));
    }));
});
