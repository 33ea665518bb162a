import { spawn } from 'node:child_process';
import { resolve } from 'node:path';
import { createInterface } from 'node:readline';

import { describe, expect, it } from '@jest/globals';

import { startGuarded } from '../../src/dev/temporal-process.js';
import { until } from '../support/timing/until.js';

/** Replaces the server: prints when it is up, and each signal it gets. */
const SERVER = `
process.on('SIGINT', () => console.log('SIGINT'));
process.on('SIGTERM', () => {
  console.log('SIGTERM');
  if (process.argv[1] !== 'stubborn') process.exit(0);
});
setInterval(() => undefined, 1000);
console.log('up');
console.log(process.pid);
console.log(process.ppid);
`;

/** A program that starts the server. On Ctrl-C it finishes its work and then ends the server. */
const PROGRAM = `
import(process.argv[1]).then(({ startGuarded }) => {
  const server = startGuarded({
    command: process.execPath,
    args: ['-e', process.argv[2]],
    onOutput: (line) => console.log(line),
  });
  process.on('SIGINT', () => server.stop().then(() => console.log('stopped')));
});
`;

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

function startServer(...args: string[]) {
  const lines: string[] = [];
  const server = startGuarded({
    command: process.execPath,
    args: ['-e', SERVER, '--', ...args],
    graceMs: 100,
    onOutput: (line) => lines.push(line),
  });
  return { server, lines };
}

describe('startGuarded', () => {
  it('lets a stopped server end by itself', async () => {
    const { server, lines } = startServer();
    await until('the server is up', () => lines.length === 3);

    await server.stop();

    expect(lines.at(-1)).toBe('SIGTERM');
    expect(server.hasExited()).toBe(true);
    expect(isAlive(Number(lines[1]))).toBe(false);
  });

  it('can be stopped twice', async () => {
    const { server, lines } = startServer();
    await until('the server is up', () => lines.length === 3);

    await Promise.all([server.stop(), server.stop()]);

    await expect(server.stop()).resolves.toBeUndefined();
  });

  it('kills a server that ignores the stop', async () => {
    const { server, lines } = startServer('stubborn');
    await until('the server is up', () => lines.length === 3);

    await server.stop();

    expect(lines.at(-1)).toBe('SIGTERM');
    expect(isAlive(Number(lines[1]))).toBe(false);
  });

  it('kills a server immediately, without a signal that it could handle', async () => {
    const { server, lines } = startServer('stubborn');
    await until('the server is up', () => lines.length === 3);

    await server.kill();

    expect(server.hasExited()).toBe(true);
    await until('the system has forgotten it', () => !isAlive(Number(lines[1])));
    expect(lines).not.toContain('SIGTERM');
    await expect(server.stop()).resolves.toBeUndefined();
    await expect(server.kill()).resolves.toBeUndefined();
  });

  it('leaves no server behind when the guardian is killed', async () => {
    const { server, lines } = startServer('stubborn');
    await until('the server is up', () => lines.length === 3);

    process.kill(Number(lines[2]), 'SIGKILL');

    await until('the server is gone', () => !isAlive(Number(lines[1])));
    await server.stop();
    expect(server.hasExited()).toBe(true);
  });

  it('says why a command did not start', async () => {
    const server = startGuarded({ command: '/nowhere/temporal', args: [] });
    await until('it has ended', server.hasExited);

    expect(server.output()).toBe('spawn /nowhere/temporal ENOENT');
  });

  it('keeps the last lines of the output', async () => {
    const source = 'for (let line = 1; line <= 30; line += 1) console.log(line)';
    const server = startGuarded({ command: process.execPath, args: ['-e', source] });
    await until('it has ended', server.hasExited);

    const lines = server.output().split('\n');
    expect([lines.length, lines[0], lines.at(-1)]).toEqual([20, '11', '30']);
  });

  it('shields the server from Ctrl-C until the program ends it', async () => {
    const program = spawn(
      process.execPath,
      ['-e', PROGRAM, '--', resolve('dist/dev/temporal-process.js'), SERVER],
      { detached: true, stdio: ['ignore', 'pipe', 'inherit'] },
    );
    const lines: string[] = [];
    createInterface(program.stdout).on('line', (line) => lines.push(line));
    await until('the server is up', () => lines.length === 3);

    // As in a terminal: every process of the group gets the signal.
    process.kill(-Number(program.pid), 'SIGINT');

    await until('the program has ended', () => program.exitCode !== null);
    expect(lines.slice(3)).toEqual(['SIGTERM', 'stopped']);
  });
});
