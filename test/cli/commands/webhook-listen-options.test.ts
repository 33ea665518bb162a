import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';

import { runCaptured } from '../../support/cli/run-captured.js';
import { NEXT_SECRET, SECRET } from './webhook-listener.js';
import { listen } from '../../support/http/listen.js';

let folder: string;
let secretFile: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'webhook-options-'));
  secretFile = join(folder, 'orders');
  await writeFile(secretFile, SECRET);
});

afterAll(() => rm(folder, { recursive: true }));

describe('webhook listen', () => {
  it('gives notices as JSON when JSON was asked for', async () => {
    const interrupt = new AbortController();
    const { exitCode, stderr } = await runCaptured(
      ['webhook', 'listen', '--port', '0', '--secret-file', secretFile, '-o', 'json'],
      {
        interrupt,
        onStderr: () => {
          interrupt.abort();
        },
      },
    );

    expect(exitCode).toBe(0);
    expect(JSON.parse(stderr)).toEqual({ notice: expect.stringContaining('Listening at http://') });
  });
});

describe('webhook listen does not start', () => {
  it.each([
    ['a missing file', undefined, 'does not exist: name the file with the secret'],
    ['an empty file', '\n', 'must be one or two lines'],
    ['a secret without its prefix', SECRET.slice(6), 'must be one or two lines'],
    [
      'a secret that is too short',
      `whsec_${btoa('canary')}`,
      'must be one or two lines, each "whsec_" and 24',
    ],
    ['three secrets', `${SECRET}\n${NEXT_SECRET}\n${SECRET}`, 'must be one or two lines'],
  ])('with %s', async (_what, content, fault) => {
    const file = join(folder, 'faulty');
    if (content !== undefined) await writeFile(file, content);

    const args = ['webhook', 'listen', '--port', '0', '--secret-file', file];
    const { exitCode, stdout, stderr } = await runCaptured(args);

    expect([exitCode, stdout]).toEqual([64, '']);
    expect(stderr).toContain(`--secret-file ${file}: ${fault}`);
    expect(stderr).not.toMatch(/whsec_[^"]/);
    await rm(file, { force: true });
  });

  it('on a port that is taken', async () => {
    const other = createServer();
    const port = String(await listen(other));

    const args = ['webhook', 'listen', '--port', port, '--secret-file', secretFile];
    const { exitCode, stderr } = await runCaptured(args);

    expect(exitCode).toBe(64);
    expect(stderr).toContain(
      `127.0.0.1:${port} is taken by another process: choose another --port`,
    );
    other.close();
  });

  it.each([
    ['without --secret-file', []],
    ['with a status that ends nothing', ['--secret-file', 'x', '--answer', '100']],
    ['with a status that is none', ['--secret-file', 'x', '--answer', 'no']],
    ['with a count of 0', ['--secret-file', 'x', '--count', '0']],
    ['with a port that is none', ['--secret-file', 'x', '--port', '70000']],
  ])('%s', async (_what, options) => {
    const { exitCode, stdout, stderr } = await runCaptured(['webhook', 'listen', ...options]);

    expect([exitCode, stdout]).toEqual([64, '']);
    expect(stderr).toContain('Usage');
  });
});

describe('the help', () => {
  it.each([[['webhook']], [['webhook', 'listen']]])('of %s fits 80 columns', async (command) => {
    const { exitCode, stdout } = await runCaptured([...command, '--help']);

    expect(exitCode).toBe(0);
    expect(stdout).toContain('listen');
    expect(stdout.split('\n').filter((line) => line.length > 80)).toEqual([]);
  });
});
