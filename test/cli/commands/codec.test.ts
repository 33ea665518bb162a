import {
  chmodSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterAll, afterEach, describe, expect, it } from '@jest/globals';
import { z } from 'zod';

import { parseKeyRing } from '../../../src/codec/key-ring.js';
import { runCodecServer } from '../../../src/gateway/codec-server/run-codec-server.js';
import { runCaptured } from '../../support/cli/run-captured.js';

const folder = mkdtempSync(join(tmpdir(), 'codec-cli-'));
const file = join(folder, 'keys.json');
const ringSchema = z.object({
  current: z.string().nullable(),
  keys: z.record(z.string(), z.string()),
});
const readRing = () => ringSchema.parse(JSON.parse(readFileSync(file, 'utf8')));

afterEach(() => {
  rmSync(file, { force: true });
});
afterAll(() => {
  rmSync(folder, { recursive: true });
});

describe('codec key', () => {
  it('prints a ring that the worker takes', async () => {
    const { exitCode, stdout } = await runCaptured(['codec', 'key']);

    expect(exitCode).toBe(0);
    expect(parseKeyRing(stdout).ok).toBe(true);
  });

  it('makes a file for its owner only, and adds keys that encrypt nothing yet', async () => {
    const first = await runCaptured(['codec', 'key', file]);
    const made = readRing();
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(first.stdout).toContain('Set GCORE_CODEC_KEYS_FILE to this file');
    chmodSync(file, 0o640);

    const second = await runCaptured(['codec', 'key', file]);

    const { current, keys } = readRing();
    const [, added = ''] = Object.keys(keys);
    expect(current).toBe(made.current);
    expect(keys).toMatchObject(made.keys);
    expect(added).toBe(`${String(made.current)}-2`);
    expect(second.stdout).toContain(`gcore-workflows codec use ${file} ${added}`);
    expect(first.stdout + second.stdout).not.toContain(keys[added]);
    expect(statSync(file).mode & 0o777).toBe(0o640);
    expect(readdirSync(folder)).toEqual(['keys.json']);
  });

  it('leaves a file alone that is no key ring', async () => {
    writeFileSync(file, '{"current": "a"}');

    const { exitCode, stderr } = await runCaptured(['codec', 'key', file]);

    expect(exitCode).toBe(64);
    expect(stderr).toContain('keys: is missing');
    expect(readFileSync(file, 'utf8')).toBe('{"current": "a"}');
  });
});

describe('codec use', () => {
  it('makes a known key current, or none', async () => {
    await runCaptured(['codec', 'key', file]);
    await runCaptured(['codec', 'key', file]);
    const [first = '', second = ''] = Object.keys(readRing().keys);

    expect((await runCaptured(['codec', 'use', file, second])).stdout).toContain(second);
    expect(readRing().current).toBe(second);
    await runCaptured(['codec', 'use', file, 'none']);
    expect(readRing().current).toBeNull();

    const unknown = await runCaptured(['codec', 'use', file, 'other']);
    expect(unknown.exitCode).toBe(64);
    expect(unknown.stderr).toContain(`It has ${first}, ${second}.`);
  });
});

describe('codec-server', () => {
  const services = { runCodecServer };

  it.each([
    [['--host', '0.0.0.0'], '--host 0.0.0.0 needs --tokens FILE'],
    [['--tokens', join(folder, 'none')], 'cannot be read (ENOENT)'],
    [['--ui-origin', 'https://temporal.example.test/path'], 'must be the origin of a page'],
  ])('does not start with %j', async (options, fault) => {
    await runCaptured(['codec', 'key', file]);
    process.env['GCORE_CODEC_KEYS_FILE'] = file;

    const { exitCode, stderr } = await runCaptured(['codec-server', ...options], { services });

    expect(exitCode).toBe(64);
    expect(stderr).toContain(fault);
  });

  it('does not start without keys', async () => {
    delete process.env['GCORE_CODEC_KEYS_FILE'];

    const { exitCode, stderr } = await runCaptured(['codec-server'], { services });

    expect(exitCode).toBe(64);
    expect(stderr).toContain('GCORE_CODEC_KEYS_FILE: is missing');
  });
});
