import { execFileSync } from 'node:child_process';
import { chmod, mkdir, mkdtemp, realpath, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';

import type { FoundSecret } from '../../../src/activities/index.js';
import { createFileSecrets } from '../../../src/worker/secrets/create-secret-source.js';

let outer: string;
let folder: string;
const write = (name: string, content: string | Uint8Array) =>
  writeFile(join(folder, name), content);
const read = (name: string): Promise<FoundSecret> =>
  createFileSecrets(folder).read(name, new AbortController().signal);

beforeAll(async () => {
  outer = await realpath(await mkdtemp(join(tmpdir(), 'file-secrets-')));
  folder = join(outer, 'secrets');
  await mkdir(folder);
  await writeFile(join(outer, 'other'), 'outside');
});

afterAll(() => rm(outer, { recursive: true }));

describe('a secret in a file', () => {
  it.each([
    ['without a line break', 'p w ', 'p w '],
    ['with a line break at its end', 'pw\n', 'pw'],
    ['with the line break of Windows', 'pw\r\n', 'pw'],
    ['with two line breaks, of which one counts', 'pw\n\n', 'pw\n'],
    ['with a byte order mark, which is dropped', '\ufeffpw', 'pw'],
  ])('%s is its text', async (_, content, text) => {
    await write('one', content);

    expect(await read('one')).toMatchObject({ is: 'found', text });
  });

  it('is found behind the links of a mounted Kubernetes secret, also while these change', async () => {
    const version = async (name: string, value: string): Promise<void> => {
      await mkdir(join(folder, name));
      await writeFile(join(folder, name, 'mounted'), value);
      await symlink(name, join(folder, '..data_tmp'));
      await rename(join(folder, '..data_tmp'), join(folder, '..data'));
    };
    await version('..2026_1', 'old');
    await symlink('..data/mounted', join(folder, 'mounted'));
    const before = await read('mounted');
    const changedAt = Date.now();

    await version('..2026_2', 'new');
    const after = await read('mounted');

    expect([before, after]).toMatchObject([{ text: 'old' }, { text: 'new' }]);
    const since = after.is === 'found' ? await after.since() : 0;
    expect(since).toBeGreaterThanOrEqual(changedAt - 50);
  });

  it('counts as changed when its link leads to an older file', async () => {
    await mkdir(join(folder, '..a'));
    await writeFile(join(folder, '..a', 'x'), 'a');
    execFileSync('touch', ['-d', '2020-01-01', join(folder, '..a', 'x')]);
    const changedAt = Date.now();
    await symlink('..a/x', join(folder, 'linked'));

    const secret = await read('linked');

    const since = secret.is === 'found' ? await secret.since() : 0;
    expect(since).toBeGreaterThanOrEqual(changedAt - 50);
  });

  it.each([
    ['that does not exist', 'nowhere'],
    ['outside of the folder', '../other'],
    ['with an absolute path', '/etc/hostname'],
    ['of Kubernetes itself', '..data'],
    ['with a NUL', 'a\0b'],
    ['with an upper-case letter', 'One'],
    ['without a letter', ''],
  ])('%s is missing, and the advice says where to write it', async (_, name) => {
    expect(await read(name)).toMatchObject({
      is: 'missing',
      advice: expect.stringContaining('GCORE_SECRETS_DIR'),
    });
  });

  it('behind a link out of the folder is not read', async () => {
    await symlink(join(outer, 'other'), join(folder, 'escape'));
    await symlink('../other', join(folder, 'relative-escape'));

    const found = [await read('escape'), await read('relative-escape')];

    expect(found).toMatchObject([{ is: 'unreadable' }, { is: 'unreadable' }]);
    expect(JSON.stringify(found)).not.toContain('outside"');
  });

  it('that is empty, as a file that is being written, is not sent', async () => {
    await write('empty', '\n');

    expect(await read('empty')).toMatchObject({ is: 'unreadable', why: 'is empty' });
  });

  it('that is too long or no text is unfit', async () => {
    await write('long', 'x'.repeat(1_572_865));
    await write('binary', Uint8Array.from([0xff, 0xfe, 0x00]));

    expect(await read('long')).toEqual({ is: 'unfit', why: 'has more than 1572864 bytes' });
    expect(await read('binary')).toEqual({
      is: 'unfit',
      why: 'is UTF-16 (little endian): save it as UTF-8',
    });
  });

  it('that is a folder or a pipe is refused without waiting for it', async () => {
    await mkdir(join(folder, 'sub'));
    execFileSync('mkfifo', [join(folder, 'pipe')]);

    expect(await read('sub')).toMatchObject({ is: 'unreadable' });
    expect(await read('pipe')).toMatchObject({ is: 'unreadable', why: 'is no file' });
  });

  it('in a folder that is gone is missing, not an error', async () => {
    const source = createFileSecrets(join(outer, 'gone'));

    const secret = await source.read('one', new AbortController().signal);

    expect(secret.is).toBe('missing');
  });

  it('that the worker may not read says so', async () => {
    await write('closed', 'x');
    await chmod(join(folder, 'closed'), 0);
    const secret = await read('closed');

    // The superuser may read everything.
    const isSuperuser = process.getuid?.() === 0;
    expect(secret.is).toBe(isSuperuser ? 'found' : 'unreadable');
  });
});
