import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { describe, expect, it } from '@jest/globals';

import type { CliWorld } from '../../support/cli/cli-world.js';
import { toLines } from '../../support/worlds/manifests.js';
import { video } from '../../support/worlds/videos.js';
import { openCli } from '../open-cli.js';

let world: CliWorld;
const cli = openCli('all', (opened) => {
  world = opened;
});

describe('retry', () => {
  it('starts a cancelled run again and prints its result; then there is nothing to retry', async () => {
    await cli('provision', '--file', world.file, '--request-id', 'order-1', '--no-wait');
    const open = await cli('retry', 'order-1');
    await cli('cancel', 'order-1');
    const { retried, again } = await world.withWorker(async () => {
      await cli('result', 'order-1');
      return { retried: await cli('retry', 'order-1'), again: await cli('retry', 'order-1') };
    });

    expect([open.exitCode, open.stdout]).toEqual([1, '']);
    expect(open.stderr).toContain('Error: RetryRefused: The run');
    expect(open.stderr).toContain('gcore-workflows watch provision-instance/default/order-1');
    expect(retried.exitCode).toBe(0);
    expect(retried.stderr).toContain('Started again with its own input.');
    expect(JSON.parse(retried.stdout)).toHaveProperty('instanceId');
    expect(again.exitCode).toBe(1);
    expect(again.stderr).toContain('has succeeded. Nothing was started.');
    expect(world.simulator.inventory().instances).toHaveLength(1);
  });

  it('of an import takes the failed lines, and asks when the manifest may have changed', async () => {
    const manifest = join(world.folder, 'may.jsonl');
    writeFileSync(manifest, toLines([video('a'), video('b', 'forbidden')]));
    const { unsure, started, ended } = await world.withWorker(async () => {
      await cli('import', 'file:may.jsonl', '--request-id', 'may');
      const first = await cli('retry', 'may');
      writeFileSync(manifest, toLines([video('a'), video('b')]));
      const second = await cli('retry', 'may', '--same-lines', '--no-wait');
      return {
        unsure: first,
        started: second,
        ended: await cli('result', 'may.retry-1'),
      };
    });

    expect(unsure.exitCode).toBe(1);
    expect(unsure.stderr).toContain('retry import-videos/default/may --same-lines');
    expect(started).toMatchObject({ exitCode: 0, stdout: 'import-videos/default/may.retry-1\n' });
    expect(started.stderr).toContain('Started with the lines 2');
    expect(JSON.parse(ended.stdout)).toMatchObject({ counts: { asked: 1, succeeded: 1 } });
  });
});
