import { chmod, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';

import { readableByOthers } from '../../src/files/readable-by-others.js';

let folder: string;
let file: string;

beforeEach(async () => {
  // The folder of these tests' own files is closed to others.
  folder = await mkdtemp(join(dirname(tmpdir()), 'open-files-'));
  file = join(folder, 'mounted', 'keys.json');
  await mkdir(join(folder, 'mounted'));
  await writeFile(file, 'a secret');
});

afterEach(() => rm(folder, { recursive: true }));

describe('a file of secrets', () => {
  it.each([
    ['0644 in folders that all may enter', 0o644, 0o755],
    ['0604 in folders that all may enter', 0o604, 0o711],
  ])('with mode %s is told of, and how to close it', async (_, mode, folderMode) => {
    await chmod(file, mode);
    await chmod(folder, folderMode);

    expect(readableByOthers(file)).toContain(`chmod go= ${file}`);
  });

  it.each([
    ['0640 in folders that all may enter', 0o640, 0o755],
    ['0600 in folders that all may enter', 0o600, 0o755],
    ['0644 below a folder of its user alone', 0o644, 0o700],
  ])('with mode %s is not told of', async (_, mode, folderMode) => {
    await chmod(file, mode);
    await chmod(folder, folderMode);

    expect(readableByOthers(file)).toBeUndefined();
  });

  it('that is missing is not told of', () => {
    expect(readableByOthers(join(folder, 'none'))).toBeUndefined();
  });
});
