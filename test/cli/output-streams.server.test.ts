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

const WAYS: readonly (readonly [Stream, Fault])[] = [
  ['stdout', 'its reader has left'],
  ['stdout', 'its disk is full'],
  ['stderr', 'its reader has left'],
  ['stderr', 'its disk is full'],
];

function wayOf(index: number): readonly [Stream, Fault] {
  return WAYS[index % WAYS.length] ?? ['stdout', 'its disk is full'];
}

/** Help is the output of a success; what a wrong option is told on stderr is lost without a change of its exit code. */
const EXPECTED = {
  stdout: {
    'its reader has left': { code: 0, told: '' },
    'its disk is full': {
      code: 1,
      told: expect.stringContaining('OutputLost: Not all of the output could be written: ENOSPC'),
    },
  },
  stderr: {
    'its reader has left': { code: 64, told: '' },
    'its disk is full': { code: 64, told: '' },
  },
};

const COMMANDS = (await readOutlines()).flatMap(namesOf);

describe('an output that goes nowhere', () => {
  let world: CliWorld | undefined;
  const cli = openCli('all', (opened) => {
    world = opened;
  });

  // A process for each command and each way would be four hundred: they take turns, and the first one has them all.
  it.each([
    ...COMMANDS.map((names, index) => ({ names, way: wayOf(index) })),
    ...WAYS.slice(1).map((way) => ({ names: COMMANDS[0] ?? [], way })),
  ])('leaves $names its exit code: $way', async ({ names, way: [stream, fault] }) => {
    const last = stream === 'stdout' ? '--help' : '--no-such-option';

    expect(await runWith(stream, fault, [...names, last])).toEqual(EXPECTED[stream][fault]);
  });

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
