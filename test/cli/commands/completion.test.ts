import { spawnSync } from 'node:child_process';

import { beforeAll, describe, expect, it } from '@jest/globals';

import { runCaptured } from '../../support/cli/run-captured.js';

let bash: string;

beforeAll(async () => {
  bash = (await runCaptured(['completion', 'bash'])).stdout;
});

/** What bash offers for the last of these words. */
function offered(...words: string[]): string[] {
  const typed = ['gcore-workflows', ...words].map((word) => `'${word}'`).join(' ');
  const script = `${bash}
COMP_WORDS=(${typed}); COMP_CWORD=$((\${#COMP_WORDS[@]} - 1))
_gcore_workflows
echo "\${COMPREPLY[*]}"`;
  const { stdout, stderr } = spawnSync('bash', ['--norc', '-c', script], { encoding: 'utf8' });
  if (stderr !== '') throw new Error(stderr);
  return stdout.trim().split(' ').filter(Boolean);
}

describe('the completion of bash', () => {
  it('offers commands, their commands, their options and the words of these', () => {
    expect(offered('sch')).toEqual(['schedule']);
    expect(offered('schedule', '')).toEqual(
      expect.arrayContaining(['create', 'list', 'show', 'pause', 'unpause', 'trigger', 'delete']),
    );
    expect(offered('schedule', 'create', 'nightly', 'mod')).toEqual(['modifyKvStore']);
    expect(offered('schedule', 'create', '--over')).toEqual(['--overlap']);
    expect(offered('schedule', 'create', '--overlap', 'wait')).toEqual(['wait', 'wait-all']);
    expect(offered('list', '--phase', 'bl')).toEqual(['blocked']);
    expect(offered('list', '--out')).toEqual(['--output']);
    expect(offered('-o', 'json', 'canc')).toEqual(['cancel']);
    expect(offered('completion', '')).toEqual(expect.arrayContaining(['bash', 'zsh', 'fish']));
  });

  it('leaves files to the shell', () => {
    expect(offered('provision', '--file', '')).toEqual([]);
  });
});

describe('the completion', () => {
  it.each(['bash', 'zsh', 'fish'])('of %s knows every command of the help', async (shell) => {
    const help = (await runCaptured(['--help'])).stdout;
    const commands = [...help.matchAll(/^ {2}([a-z][a-z-]+)\b.* {2,}\S/gm)].map(
      ([, name = '']) => name,
    );
    const { exitCode, stdout, stderr } = await runCaptured(['completion', shell]);

    expect([exitCode, stderr]).toEqual([0, '']);
    expect(commands.length).toBeGreaterThan(20);
    for (const name of commands) expect(stdout).toContain(name);
    expect(stdout).toContain('catch-up');
  });

  it('of an unknown shell is refused', async () => {
    const { exitCode, stderr } = await runCaptured(['completion', 'tcsh']);

    expect(exitCode).toBe(64);
    expect(stderr).toContain('bash, zsh, fish');
  });
});
