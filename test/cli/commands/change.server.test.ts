import { describe, expect, it } from '@jest/globals';
import { z } from 'zod';

import type { CliWorld } from '../../support/cli/cli-world.js';
import { openCli } from '../open-cli.js';

let world: CliWorld;

const run = openCli('each', (opened) => {
  world = opened;
});

const PLACE = ['--project', '1', '--region', '1'];
const VOLUME = '3c5d7e9f-1a2b-4c3d-8e5f-6a7b8c9d0e1f';
const madeSchema = z.object({ instanceId: z.string() });

describe('a command that follows from the definition of its operation', () => {
  it('takes its arguments in their order, follows the run and prints the result', async () => {
    const { resized, stopped, extended } = await world.withWorker(async () => {
      const made = await run('provision', '--file', world.file, '--request-id', 'order-1');
      expect(made).toMatchObject({ exitCode: 0 });
      const { instanceId } = madeSchema.parse(JSON.parse(made.stdout));
      const volumeId = world.simulator.inventory().volumes[0]?.id ?? '';
      return {
        resized: await run('resize', instanceId, 'g2-standard-4-8', ...PLACE),
        stopped: await run('power', instanceId, 'stop', '--request-id', 'night', ...PLACE),
        extended: await run('extend-volume', volumeId, '40', ...PLACE),
      };
    });

    expect([resized, stopped]).toMatchObject([{ exitCode: 0 }, { exitCode: 0 }]);
    expect(JSON.parse(resized.stdout)).toMatchObject({ flavor: 'g2-standard-4-8' });
    expect(resized.stderr).toMatch(/^Run resize-instance\/default\/[0-9a-f-]{36}$/m);
    expect(JSON.parse(extended.stdout)).toMatchObject({ before: 20, size: 40 });
    expect(JSON.parse(stopped.stdout)).toMatchObject({ before: 'ACTIVE', status: 'SHUTOFF' });
    expect(stopped.stderr).toMatch(/^Run set-instance-power\/default\/night$/m);
  });

  it.each([
    ['an action that there is not', ['power', 'i-1', 'fly'], 'reboot_hard'],
    ['an id that is no UUID', ['resize', 'web-1', 'g2-standard-4-8'], 'instanceId'],
    ['a missing argument', ['resize', 'web-1'], 'FLAVOR'],
    ['a size that is no number', ['extend-volume', VOLUME, '4O'], 'size'],
  ])('refuses %s before it connects', async (_, words, named) => {
    const { exitCode, stderr } = await run(...words);

    expect(exitCode).toBe(64);
    expect(stderr).toContain(named);
  });
});
