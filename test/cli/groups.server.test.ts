import { describe, expect, it } from '@jest/globals';

import type { CliWorld } from '../support/cli/cli-world.js';
import { createAttributes } from '../support/cli/create-attributes.js';
import { until } from '../support/timing/until.js';
import { openCli } from './open-cli.js';

let world: CliWorld;
const cli = openCli('all', async (opened) => {
  world = opened;
  await createAttributes(opened);
});

describe('runs of a group', () => {
  it('that failed start again together, and no other', async () => {
    const ids = ['again-1', 'again-2', 'done-1'];
    for (const id of ids) {
      const options = ['--request-id', id, '--no-wait', '--group', 'fleet-7'];
      await cli('provision', '--file', world.file, ...options);
    }
    await cli('cancel', ...ids, '--yes');
    const retried = await world.withWorker(async () => {
      for (const id of ids) await cli('result', id);
      await cli('retry', 'done-1');
      await until('the list knows how they ended', async () => {
        const { stdout } = await cli('list', '--group', 'fleet-7', '--phase', 'cancelled');
        return ids.every((id) => stdout.includes(id));
      });
      return cli('retry', '--group', 'fleet-7', '--yes');
    });

    expect(retried.exitCode).toBe(0);
    expect(retried.stdout.trim().split('\n').sort()).toEqual([
      'asked  provision-instance/default/again-1',
      'asked  provision-instance/default/again-2',
    ]);
  });

  it('are found by their group, also before a worker has taken them', async () => {
    for (const id of ['group-1', 'group-2']) {
      const options = ['--request-id', id, '--no-wait'];
      await cli('provision', '--file', world.file, ...options, '--group', 'incident-42');
    }
    await cli('provision', '--file', world.file, '--request-id', 'outside-1', '--no-wait');
    await until('the list knows them', async () => {
      const { stdout } = await cli('list', '--group', 'incident-42');
      return stdout.includes('group-1') && stdout.includes('group-2');
    });

    const cancelled = await cli('cancel', '--group', 'incident-42', '--yes');

    expect(cancelled.exitCode).toBe(0);
    expect(cancelled.stdout.trim().split('\n').sort()).toEqual([
      'asked  provision-instance/default/group-1',
      'asked  provision-instance/default/group-2',
    ]);
  });
});
