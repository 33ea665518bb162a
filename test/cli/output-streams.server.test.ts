import { spawn, type StdioOptions } from 'node:child_process';
import { once } from 'node:events';
import { openSync } from 'node:fs';
import { text } from 'node:stream/consumers';

import { describe, expect, it } from '@jest/globals';

import type { CommandOutline } from '../../src/cli/outline.js';
import { readOutlines } from '../../src/cli/run-cli.js';
import type { CliWorld } from '../support/cli/cli-world.js';
import { openCli } from './open-cli.js';

type Stream = 'stdout' | 'stderr';
type Fault = 'its reader has left' | 'its disk is full';

const FULL_DISK = openSync('/dev/full', 'w');

/** Runs the command line as a process of its own, with one stream that goes nowhere. */
async function runWith(
  stream: Stream,
  fault: Fault,
  args: readonly string[],
): Promise<{ code: unknown; told: string }> {
  const broken = fault === 'its disk is full' ? FULL_DISK : 'pipe';
  const stdio: StdioOptions =
    stream === 'stdout' ? ['ignore', broken, 'pipe'] : ['ignore', 'pipe', broken];
  const child = spawn(process.execPath, ['dist/cli/main.js', ...args], { stdio });
  child[stream]?.destroy();
  const whole = stream === 'stdout' ? child.stderr : child.stdout;
  const exit: Promise<unknown[]> = once(child, 'exit');
  const told = whole === null ? '' : await text(whole);
  const [code] = await exit;
  return { code, told };
}

function namesOf(outline: CommandOutline): string[][] {
  return [[], ...outline.commands.flatMap(namesOf)].map((names) => [outline.name, ...names]);
}

const COMMANDS = (await readOutlines()).flatMap(namesOf);

describe('an output that goes nowhere', () => {
  let world: CliWorld | undefined;
  const cli = openCli('all', (opened) => {
    world = opened;
  });

  it.each(COMMANDS.map((names) => [names.join(' '), names] as const))(
    'leaves %s its exit code',
    async (_name, names) => {
      const help = [...names, '--help'];
      const wrong = [...names, '--no-such-option'];

      const [left, full, ...refused] = await Promise.all([
        runWith('stdout', 'its reader has left', help),
        runWith('stdout', 'its disk is full', help),
        runWith('stderr', 'its reader has left', wrong),
        runWith('stderr', 'its disk is full', wrong),
      ]);

      expect(left).toEqual({ code: 0, told: '' });
      expect(full).toEqual({
        code: 1,
        told: expect.stringContaining('OutputLost: Not all of the output could be written: ENOSPC'),
      });
      expect(refused).toEqual([1, 2].map(() => ({ code: 64, told: '' })));
    },
  );

  it.each(['its reader has left', 'its disk is full'] as const)(
    'does not make a failed command a success: stdout, %s',
    async (fault) => {
      const { code, told } = await runWith('stdout', fault, ['doctor', '--address', '127.0.0.1:1']);

      expect(code).toBe(1);
      expect(told.includes('OutputLost')).toBe(fault === 'its disk is full');
    },
  );

  it('ends what only prints', async () => {
    const started = await cli('provision', '--file', world?.file ?? '', '--no-wait');
    expect(started.exitCode).toBe(0);
    const watching = ['list', '--watch', ...(world?.server ?? [])];

    expect(await runWith('stdout', 'its reader has left', watching)).toEqual({ code: 0, told: '' });
  });
});
