import { randomUUID } from 'node:crypto';

import { describe, expect, it } from '@jest/globals';

import {
  createGcoreWorkflows,
  RequestConflictError,
  type GcoreWorkflows,
} from '../../src/client/index.js';
import type { ProvisionInstanceInput } from '../../src/contract/index.js';
import { protectInput } from '../support/inputs/protect-input.js';
import { CREATE_PATH, provisionInput } from '../support/inputs/provision-input.js';
import { inScenario, type Scenario } from '../simulation/scenario.js';
import { until } from '../support/timing/until.js';
import { holdTaskReads } from '../support/worlds/hold-task-reads.js';
const clientOf = ({ client, taskQueue }: Scenario): GcoreWorkflows =>
  createGcoreWorkflows({ client, taskQueue });

type Instance = Partial<ProvisionInstanceInput['instance']>;

function requestOf({ account }: Scenario, instance: Instance = {}, requestId = 'order-4711') {
  return { requestId, input: { ...provisionInput(instance), account } };
}

const NO_CAPACITY = {
  kind: 'status',
  status: 403,
  body: { exception_class: 'ForbiddenError', message: 'Not enough capacity for this flavor' },
} as const;

describe('a request id with another input', () => {
  it('is refused while the run is open, and the error names where the inputs differ', () =>
    inScenario({}, async (scenario) => {
      const gcore = clientOf(scenario);
      const release = holdTaskReads(scenario.simulator);
      const { workflowId, runId } = await gcore.start('provisionInstance', requestOf(scenario));
      const other = requestOf(scenario, { name: 'web-2', flavor: 'g2-standard-4-8' });

      const conflict = gcore.start('provisionInstance', other);

      await expect(conflict).rejects.toThrow(RequestConflictError);
      await expect(conflict).rejects.toMatchObject({
        workflowId,
        state: 'open',
        paths: ['instance.flavor', 'instance.name'],
        message: expect.not.stringContaining('web-2'),
      });
      const again = await gcore.start('provisionInstance', requestOf(scenario));
      expect(again).toEqual({ workflowId, runId, outcome: 'joined' });
      release();
      await gcore.result('provisionInstance', workflowId);
    }));

  it('is refused after the run has succeeded, unless the caller chooses to join', () =>
    inScenario({}, async (scenario) => {
      const gcore = clientOf(scenario);
      const { workflowId } = await gcore.start('provisionInstance', requestOf(scenario));
      await gcore.result('provisionInstance', workflowId);
      const other = requestOf(scenario, { name: 'web-2' });

      await expect(gcore.start('provisionInstance', other)).rejects.toMatchObject({
        state: 'succeeded',
        paths: ['instance.name'],
      });
      const joined = await gcore.start('provisionInstance', { ...other, onConflict: 'join' });

      expect(joined).toMatchObject({ workflowId, outcome: 'succeeded-before' });
      expect(scenario.simulator.inventory().instances).toHaveLength(1);
    }));

  it('is allowed after the run has failed', () =>
    inScenario({}, async (scenario) => {
      const gcore = clientOf(scenario);
      scenario.simulator.faults.add({
        match: { method: 'POST', path: CREATE_PATH },
        action: { kind: 'task-error', error: 'no luck' },
      });
      const { workflowId } = await gcore.start('provisionInstance', requestOf(scenario));
      await expect(gcore.result('provisionInstance', workflowId)).rejects.toThrow('no luck');

      const again = await gcore.start('provisionInstance', requestOf(scenario, { name: 'web-2' }));

      expect(again.outcome).toBe('started');
      expect((await gcore.result('provisionInstance', workflowId)).name).toBe('web-2');
    }));

  it('lets one of two callers start, and refuses the other', () =>
    inScenario({}, async (scenario) => {
      const gcore = clientOf(scenario);
      const release = holdTaskReads(scenario.simulator);
      const requests = ['web-1', 'web-2'].map((name) => requestOf(scenario, { name }));

      const starts = await Promise.allSettled(
        requests.map((request) => gcore.start('provisionInstance', request)),
      );

      const outcomes = starts.map((start) =>
        start.status === 'fulfilled' ? start.value.outcome : String(start.reason),
      );
      expect(outcomes.sort()).toEqual([expect.stringContaining('RequestConflictError'), 'started']);
      release();
      const { workflowId } = await gcore.start('provisionInstance', {
        ...requestOf(scenario),
        onConflict: 'join',
      });
      await gcore.result('provisionInstance', workflowId);
      expect(scenario.simulator.inventory().instances).toHaveLength(1);
    }));

  it('is refused when a client in another language has started the run', () =>
    inScenario({}, async (scenario) => {
      const gcore = clientOf(scenario);
      const { input } = requestOf(scenario);
      const workflowId = `order-${randomUUID()}`;
      const run = await scenario.start('provisionInstance', provisionInput(), workflowId);
      const request = { requestId: 'x', workflowId };

      const other = { ...request, input: { ...input, waitFor: 'task' as const } };
      await expect(gcore.start('provisionInstance', other)).rejects.toMatchObject({
        paths: ['waitFor'],
      });
      const same = { ...request, input: { ...input, waitFor: 'active' as const } };
      expect((await gcore.start('provisionInstance', same)).outcome).not.toBe('started');
      const keys = { ...request, input: { account: scenario.account } };
      await expect(gcore.start('listSshKeys', keys)).rejects.toMatchObject({
        paths: ['operation'],
      });
      await run.result();
    }));
});

describe('a run whose input was corrected', () => {
  it('is the same request for the first and for the corrected input', () =>
    inScenario({}, async (scenario) => {
      const gcore = clientOf(scenario);
      scenario.simulator.faults.add({
        match: { method: 'POST', path: CREATE_PATH },
        action: NO_CAPACITY,
      });
      const { workflowId } = await gcore.start('provisionInstance', requestOf(scenario));
      await until(
        'it is blocked',
        async () => (await gcore.status(workflowId)).phase === 'blocked',
      );
      const corrected = requestOf(scenario, { flavor: 'g2-standard-4-8' });
      const { input } = corrected;
      await gcore.resume(workflowId, { operation: 'provisionInstance', input });
      await gcore.result('provisionInstance', workflowId);

      const outcomes = [requestOf(scenario), corrected].map(
        async (request) => (await gcore.start('provisionInstance', request)).outcome,
      );

      expect(await Promise.all(outcomes)).toEqual(['succeeded-before', 'succeeded-before']);
      const other = requestOf(scenario, { flavor: 'g2-standard-8-16' });
      await expect(gcore.start('provisionInstance', other)).rejects.toMatchObject({
        paths: ['instance.flavor'],
      });
    }));
});

describe('an alert for an address that an open run protects', () => {
  it('joins for the same profile, whatever its hold, and is refused for another profile', () =>
    inScenario({}, async (scenario) => {
      const gcore = clientOf(scenario);
      const { account } = scenario;
      const { profile } = protectInput();
      const inputOf = (change: Parameters<typeof protectInput>[0]) => ({
        input: { ...protectInput(change), account },
      });
      const { workflowId, runId } = await gcore.start('protectIp', inputOf({ holdFor: '1 hour' }));

      const repeated = await gcore.start('protectIp', inputOf({ holdFor: '5 hours' }));
      const other = { ...profile, profile_template: 13 };
      const conflict = gcore.start('protectIp', inputOf({ profile: other, holdFor: '1 hour' }));

      expect(repeated).toEqual({ workflowId, runId, outcome: 'joined' });
      await expect(conflict).rejects.toMatchObject({ paths: ['profile.profile_template'] });
      await gcore.cancel(workflowId);
      await expect(gcore.result('protectIp', workflowId)).rejects.toThrow('was cancelled');
    }));
});
