import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { describe, expect, it } from '@jest/globals';

import { provisionInput } from '../../support/inputs/provision-input.js';
import type { CliWorld } from '../../support/cli/cli-world.js';
import { openCli } from '../open-cli.js';

let world: CliWorld;

const run = openCli('each', (opened) => {
  world = opened;
});

const ID = '99999999-0000-4000-8000-000000000000';
const ALL = ['--volumes', 'delete', '--floating-ips', 'delete'];

describe('delete', () => {
  it('deletes the instance of a request once, also when it is repeated', async () => {
    const deleteIt = ['delete', '--made-by', 'order-1', '--project', '1', '--region', '1', ...ALL];
    const { first, again } = await world.withWorker(async () => {
      await run('provision', '--file', world.file, '--request-id', 'order-1');
      return { first: await run(...deleteIt), again: await run(...deleteIt) };
    });

    expect(first.exitCode).toBe(0);
    expect(JSON.parse(first.stdout)).toMatchObject({
      name: 'web-1',
      alreadyGone: false,
      deleted: { instance: true, volumes: [expect.any(String)] },
    });
    expect(first.stderr).toMatch(/^Run delete-instance\/default\/[0-9a-f]{12}$/m);
    expect(first.stderr).toMatch(/\] verify absence: verified/);
    expect(world.simulator.inventory()).toMatchObject({ instances: [], volumes: [] });
    expect(again.stdout).toBe(first.stdout);
    expect(again.stderr).not.toBe(first.stderr);
    expect(again.exitCode).toBe(0);
  });

  it('deletes what a batch has made, by its request id, and names one that nobody knows', async () => {
    const file = join(world.folder, 'fleet.jsonl');
    const fleet = ['web-a', 'web-b'].map((name) => JSON.stringify(provisionInput({ name })));
    await writeFile(file, fleet.join('\n'));
    const place = ['--project', '1', '--region', '1', ...ALL];
    const { typo, deleted } = await world.withWorker(async () => {
      await run('provision', '--file', file, '--request-id', 'fleet-7');
      return {
        typo: await run('delete', '--made-by', 'fleet-8', ...place),
        deleted: await run('delete', '--made-by', 'fleet-7', ...place),
      };
    });

    expect(typo.exitCode).not.toBe(0);
    expect(typo.stderr).toContain('provision-instance/default/fleet-8');
    expect(JSON.parse(deleted.stdout)).toMatchObject({ counts: { asked: 2, succeeded: 2 } });
    expect(world.simulator.inventory()).toMatchObject({ instances: [], volumes: [] });
  });

  it('accepts the Workflow Id of the run, and the plan names the losses', async () => {
    const file = join(world.folder, 'delete.json');
    const madeBy = 'provision-instance/default/order-1';
    const place = { projectId: 1, regionId: 1 };
    const input = { ...place, madeBy, volumes: 'keep', floatingIps: 'keep' };
    await writeFile(file, JSON.stringify(input));
    const { planned, deleted } = await world.withWorker(async () => {
      await run('provision', '--file', world.file, '--request-id', 'order-1');
      const choice = ['--volumes', 'keep', '--floating-ips', 'keep'];
      return {
        planned: await run('plan', 'delete-instance', file),
        deleted: await run(
          'delete',
          '--made-by',
          madeBy,
          '--project',
          '1',
          '--region',
          '1',
          ...choice,
        ),
      };
    });

    expect(planned.exitCode).toBe(0);
    expect(planned.stderr).toContain('cannot be restored');
    expect(JSON.parse(deleted.stdout)).toMatchObject({ kept: { volumes: [expect.any(String)] } });
    expect(world.simulator.inventory()).toMatchObject({ instances: [], volumes: [{}] });
  });

  it.each([
    [['delete', ID, '--volumes', 'keep'], '--floating-ips'],
    [['delete', ID, '--floating-ips', 'keep'], '--volumes'],
    [['delete', ...ALL], 'exactly one'],
    [['delete', ID, '--made-by', 'order-1', ...ALL], 'exactly one'],
    [['delete', 'web-1', ...ALL], 'instanceId'],
    [['delete', ID, '--volumes', 'all', '--floating-ips', 'keep'], 'volumes'],
  ])('refuses %j before anything is sent', async (args, said) => {
    const { exitCode, stderr } = await run(...args);

    expect(exitCode).toBe(64);
    expect(stderr).toContain(said);
  });
});
