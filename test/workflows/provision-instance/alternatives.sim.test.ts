import { describe, expect, it } from '@jest/globals';
import { WorkflowUpdateFailedError } from '@temporalio/client';
import { ApplicationFailure } from '@temporalio/common';

import { resumeUpdate, statusQuery } from '../../../src/engine/core/messages.js';
import { blockedAs, untilBlocked } from '../../support/runs/until-blocked.js';
import { CREATE_PATH, provisionInput } from '../../support/inputs/provision-input.js';
import { inScenario, type Scenario } from '../../simulation/scenario.js';
import { until } from '../../support/timing/until.js';
const createCall = { method: 'POST', path: CREATE_PATH };

const NO_CAPACITY = {
  kind: 'status',
  status: 403,
  body: { exception_class: 'ForbiddenError', message: 'Not enough capacity for this flavor' },
} as const;
async function refusalOf(update: Promise<unknown>): Promise<ApplicationFailure> {
  try {
    await update;
  } catch (error) {
    const cause = error instanceof WorkflowUpdateFailedError ? error.cause : error;
    if (cause instanceof ApplicationFailure) return cause;
    throw error;
  }
  throw new Error('the update was accepted, although it should not have been');
}

const flavorsOf = ({ simulator }: Scenario): string[] =>
  simulator.inventory().instances.map((instance) => instance.flavor.flavor_id);

describe('a run that finds no capacity', () => {
  it('takes the first of its alternatives that works', () =>
    inScenario({}, async (scenario) => {
      const { start, simulator } = scenario;
      simulator.faults.add({ match: { ...createCall, times: 2 }, action: NO_CAPACITY });
      const flavors = ['g2-standard-4-8', 'g2-standard-8-16', 'g2-memory-2-8'];
      const alternatives = flavors.map((flavor) => ({ flavor }));

      const run = await start('provisionInstance', provisionInput({}, { alternatives }));
      const { flavor } = await run.result();

      expect(flavor).toBe('g2-standard-8-16');
      expect(flavorsOf(scenario)).toEqual(['g2-standard-8-16']);
    }));

  it('takes another region, and a repeated request finds its instance there', () =>
    inScenario({}, async ({ start, simulator, mutations }) => {
      simulator.faults.add({ match: createCall, action: NO_CAPACITY });
      const input = provisionInput({}, { alternatives: [{ regionId: 2 }] });
      const first = await start('provisionInstance', input, 'in-another-region');
      const made = await first.result();

      const second = await start('provisionInstance', input, 'in-another-region');
      const found = await second.result();

      expect(made.regionId).toBe(2);
      expect(found).toMatchObject({ instanceId: made.instanceId, adopted: true, regionId: 2 });
      expect(simulator.inventory().instances).toHaveLength(1);
      expect(mutations()).toHaveLength(2);
    }));

  it('finds the instance of another region that one list lacks', () =>
    inScenario({}, async ({ start, simulator }) => {
      simulator.faults.add({ match: createCall, action: NO_CAPACITY });
      const input = provisionInput({}, { alternatives: [{ regionId: 2 }] });
      const first = await start('provisionInstance', input, 'one-list-lacks');
      const made = await first.result();
      simulator.faults.add({
        match: { method: 'GET', path: '/cloud/v1/instances/1/2' },
        action: { kind: 'status', status: 200, body: { count: 0, results: [] } },
      });

      const second = await start('provisionInstance', input, 'one-list-lacks');

      expect(await second.result()).toMatchObject({ instanceId: made.instanceId, adopted: true });
      expect(simulator.inventory().instances).toHaveLength(1);
    }));

  it('removes its resources from the other region when it is cancelled', () =>
    inScenario({}, async ({ start, simulator }) => {
      simulator.faults.add({ match: createCall, action: NO_CAPACITY });
      const slow = { kind: 'slow-task', factor: 4 } as const;
      simulator.faults.add({ match: { ...createCall, nth: 2 }, action: slow });
      const input = provisionInput({}, { alternatives: [{ regionId: 2 }] });
      const run = await start('provisionInstance', input);
      await until('the run waits for its task', async () => {
        const { steps } = await run.query(statusQuery);
        return steps[0]?.state === 'waiting';
      });

      await run.cancel();
      await expect(run.result()).rejects.toThrow();

      expect(simulator.inventory()).toMatchObject({ instances: [], volumes: [] });
    }));

  it('names everything that it tried, and continues with a corrected input', () =>
    inScenario({}, async (scenario) => {
      const { start, simulator } = scenario;
      simulator.faults.add({ match: { ...createCall, times: 2 }, action: NO_CAPACITY });
      const input = provisionInput({}, { alternatives: [{ flavor: 'g2-standard-4-8' }] });
      const run = await start('provisionInstance', input);
      await untilBlocked(run, 'CapacityUnavailable');

      const { blocked } = await run.query(statusQuery);
      const corrected = { ...provisionInput({ flavor: 'g2-standard-8-16' }) };
      const account = scenario.account;
      await run.executeUpdate(resumeUpdate, { args: [{ input: { ...corrected, account } }] });
      await run.result();

      expect(blocked?.message).toContain(
        'g2-standard-2-4 in region 1, g2-standard-4-8 in region 1',
      );
      expect(flavorsOf(scenario)).toEqual(['g2-standard-8-16']);
    }));

  it('stays blocked when the corrected input is wrong, and names every fault', () =>
    inScenario({}, async ({ start, simulator }) => {
      simulator.faults.add({ match: createCall, action: NO_CAPACITY });
      const run = await start('provisionInstance', provisionInput());
      await untilBlocked(run, 'CapacityUnavailable');

      const input = { instance: { flavour: 'g2-standard-4-8' } };
      const refusal = await refusalOf(run.executeUpdate(resumeUpdate, { args: [{ input }] }));

      expect(refusal.type).toBe('InvalidInput');
      expect(refusal.message).toContain('instance.flavour');
      expect(await blockedAs(run)).toBe('CapacityUnavailable');
      await run.executeUpdate(resumeUpdate, { args: [{}] });
      await run.result();
    }));

  it('removes the leftovers of the failed task before it blocks', () =>
    inScenario({}, async ({ start, simulator }) => {
      simulator.faults.add({
        match: createCall,
        action: { kind: 'task-error', error: 'No valid host was found', leftovers: 'volume' },
      });
      const run = await start('provisionInstance', provisionInput());
      await untilBlocked(run, 'CapacityUnavailable');

      expect(simulator.inventory()).toMatchObject({ instances: [], volumes: [] });
      await run.executeUpdate(resumeUpdate, { args: [{}] });
      await run.result();
      expect(simulator.inventory().volumes).toHaveLength(1);
    }));
});
