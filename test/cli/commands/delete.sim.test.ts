import { describe, expect, it } from '@jest/globals';

import { inWorld } from '../../simulation/in-world.js';
import { runCommand } from '../../simulation/world/command-line.js';
import type { World } from '../../simulation/world/world.js';
import { provisionInput } from '../../support/inputs/provision-input.js';
import { until } from '../../support/timing/until.js';
import { stateWithInstances } from '../../support/worlds/instances.js';

const BATCH = 'run-batch/default/fleet-7';
const STATE = stateWithInstances([]);

/** A batch that makes one after the other. */
async function startFleet({ gcore }: World, ...names: string[]): Promise<void> {
  const items = names.map((name) => provisionInput({ name }));
  const tolerate = { percent: 100 };
  const input = { operation: 'provisionInstance', items, atOnce: 1, tolerate } as const;
  await gcore.start('runBatch', { requestId: 'fleet-7', input });
}

/** Terminates the first run once it has sent its call, so that it undoes nothing. */
async function terminateFirst({ client, server, simulator }: World): Promise<string> {
  await until('one is sent', () => simulator.mutations().length > 0);
  const first = server.executions().find(({ type }) => type === 'provisionInstance');
  const { workflowId = '' } = first ?? {};
  await client.workflow.getHandle(workflowId).terminate();
  return workflowId;
}

function deleteAll(madeBy: string) {
  const place = ['--project', '1', '--region', '1'];
  const all = ['--volumes', 'delete', '--floating-ips', 'delete'];
  return runCommand('delete', '--made-by', madeBy, ...place, ...all);
}

const namesIn = ({ simulator }: World) => simulator.inventory().instances.map(({ name }) => name);

describe('delete of what a batch has made that was ended from outside', () => {
  it('claims nothing about a line that it may have begun', () => {
    let isEnded = false;
    const onAnswer = ({ client, server }: World): void => {
      if (isEnded || !server.executions().some(({ type }) => type === 'provisionInstance')) return;
      isEnded = true;
      void client.workflow.getHandle(BATCH).terminate();
    };
    return inWorld({ state: STATE, onAnswer }, async (world) => {
      await startFleet(world, 'web-a');
      await until('it is made', () => namesIn(world).length === 1);

      const told = await deleteAll('fleet-7');

      expect(told.exitCode).toBe(3);
      expect(told.stderr).toContain('may have begun 1 line that it could not report');
      expect(told.stderr).toContain('list --group');
      expect(namesIn(world)).toEqual(['web-a']);
    });
  });
});

describe('delete of what a batch has made', () => {
  it('is refused while the batch makes more', () =>
    inWorld({ state: STATE }, async (world) => {
      await startFleet(world, 'web-a', 'web-b', 'web-c');
      await until('one is made', async () => {
        const { items } = await world.gcore.status(BATCH);
        return items?.succeeded === 1;
      });
      const told = await deleteAll('fleet-7');
      await world.gcore.result('runBatch', BATCH);

      expect([told.exitCode, told.stdout]).toEqual([1, '']);
      expect(told.stderr).toContain(`The batch ${BATCH} goes on`);
      expect(told.stderr).toContain(`gcore-workflows cancel ${BATCH}`);
      expect(namesIn(world).sort()).toEqual(['web-a', 'web-b', 'web-c']);
    }));

  it('deletes the others of a failed run, names that one, and does not count as done', () =>
    inWorld({ state: STATE }, async (world) => {
      await startFleet(world, 'web-a', 'web-b');
      const failed = await terminateFirst(world);
      await world.gcore.result('runBatch', BATCH);

      const told = await deleteAll('fleet-7');

      expect(told.exitCode).toBe(3);
      expect(JSON.parse(told.stdout)).toMatchObject({ counts: { asked: 1, succeeded: 1 } });
      expect(told.stderr).toContain(`1 instance of ${BATCH}; 1 line failed`);
      expect(told.stderr).toMatch(
        new RegExp(`${failed} +failed: it may have left something\\. .*terminated`),
      );
      expect(told.stderr).toContain(`gcore-workflows explain ${failed}`);
      expect(namesIn(world)).toEqual(['web-a']);
      const left = await deleteAll(failed);
      expect([left.exitCode, namesIn(world)]).toEqual([0, []]);
    }));

  it('deletes nothing of a run that somebody else has started, and names it', () =>
    inWorld({ state: STATE }, async (world) => {
      const { gcore } = world;
      const input = provisionInput({ name: 'web-a' });
      const { workflowId } = await gcore.start('provisionInstance', { requestId: 'web-a', input });
      const items = [
        { ...input, requestId: 'web-a' },
        { ...provisionInput({ name: 'web-b' }), requestId: 'web-b' },
      ];
      const batch = { operation: 'provisionInstance', items } as const;
      await gcore.start('runBatch', { requestId: 'fleet-7', input: batch });
      await gcore.result('runBatch', BATCH);

      const told = await deleteAll('fleet-7');

      expect(namesIn(world)).toEqual(['web-a']);
      expect(told.exitCode).toBe(3);
      expect(told.stderr).toContain(workflowId);
    }));

  it('names that one also beside a run that has failed', () =>
    inWorld({ state: STATE }, async (world) => {
      const { gcore } = world;
      const input = provisionInput({ name: 'web-a' });
      const { workflowId } = await gcore.start('provisionInstance', { requestId: 'web-a', input });
      await gcore.result('provisionInstance', workflowId);
      const items = [
        { ...input, requestId: 'web-a' },
        { ...provisionInput({ name: 'web-b', flavor: 'g9-unknown' }), requestId: 'web-b' },
      ];
      const tolerate = { percent: 100 };
      const batch = { operation: 'provisionInstance', items, tolerate } as const;
      await gcore.start('runBatch', { requestId: 'fleet-7', input: batch });
      await gcore.result('runBatch', BATCH);

      const told = await deleteAll('fleet-7');

      expect([told.exitCode, namesIn(world)]).toEqual([3, ['web-a']]);
      expect(told.stderr).toContain('provision-instance/default/web-b');
      expect(told.stderr).toContain(workflowId);
    }));

  it('says so too when nothing else is to be deleted', () =>
    inWorld({ state: STATE }, async (world) => {
      await startFleet(world, 'web-a');
      const failed = await terminateFirst(world);
      await world.gcore.result('runBatch', BATCH);

      const told = await deleteAll('fleet-7');

      expect([told.exitCode, told.stdout]).toEqual([3, '']);
      expect(told.stderr).toContain(failed);
    }));
});
