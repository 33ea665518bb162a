import { createHash } from 'node:crypto';
import { chmod, mkdir, mkdtemp, readdir, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';

import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';

import { cachedTemporalCli, fillCache } from '../../src/dev/temporal-cli.js';
import {
  resolveTemporalExecutable,
  type ExecutableResolver,
} from '../../src/dev/temporal-executable.js';

const CLI = '#!/bin/sh\necho "temporal version 0.0.0 (a stand-in)"\n';
const OTHER_PROGRAM = '#!/bin/sh\necho "something else"\n';
const digestOf = (text: string) => createHash('sha256').update(text).digest('hex');
const CLI_DIGEST = digestOf(CLI);

let folder = '';

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'temporal-executable-'));
});

afterEach(async () => {
  await rm(folder, { recursive: true });
});

async function writeProgram(name: string, text: string): Promise<string> {
  const path = join(folder, name);
  await mkdir(join(path, '..'), { recursive: true });
  await writeFile(path, text);
  await chmod(path, 0o755);
  return path;
}

function fails(source: ExecutableResolver['source'], message: string): ExecutableResolver {
  return { source, resolve: () => Promise.reject(new Error(message)) };
}

describe('resolveTemporalExecutable', () => {
  it('prefers the configured executable', async () => {
    const cliPath = await writeProgram('configured', CLI);
    await writeProgram('bin/temporal', CLI);

    const found = await resolveTemporalExecutable({ cliPath, path: join(folder, 'bin') });

    expect(found).toEqual({ path: cliPath, source: 'TEMPORAL_CLI_PATH' });
  });

  it('uses nothing else when the configured executable is unusable', async () => {
    const cliPath = join(folder, 'missing');
    await writeProgram('bin/temporal', CLI);

    const resolving = resolveTemporalExecutable({ cliPath, path: join(folder, 'bin') });

    await expect(resolving).rejects.toThrow(
      /failed:\n {2}TEMPORAL_CLI_PATH: .*missing.*\nDo one of these: install/,
    );
  });

  it('refuses a configured program that is not the Temporal CLI', async () => {
    const cliPath = await writeProgram('configured', OTHER_PROGRAM);

    await expect(resolveTemporalExecutable({ cliPath })).rejects.toThrow('is not the Temporal CLI');
  });

  it('prefers the first working executable on PATH to the cache', async () => {
    await writeProgram('broken/temporal', OTHER_PROGRAM);
    const onPath = await writeProgram('bin/temporal', CLI);
    await writeProgram('cache/temporal-1.9.1', CLI);
    const path = ['broken', 'empty', 'bin'].map((name) => join(folder, name)).join(delimiter);

    const found = await resolveTemporalExecutable({ path, cacheDir: join(folder, 'cache') });

    expect(found).toEqual({ path: onPath, source: 'PATH' });
  });

  it('prefers the cached executable to a download', async () => {
    const cached = await writeProgram('cache/temporal-1.9.1', CLI);
    const progress: string[] = [];

    const found = await resolveTemporalExecutable({
      cacheDir: join(folder, 'cache'),
      onProgress: (message) => progress.push(message),
    });

    expect(found).toEqual({ path: cached, source: 'cache' });
    expect(progress).toEqual([]);
  });

  it('tries the next way when one fails', async () => {
    const found = await resolveTemporalExecutable({}, [
      fails('cache', 'empty'),
      { source: 'download', resolve: () => Promise.resolve('/downloaded') },
      fails('wheel', 'must not be reached'),
    ]);

    expect(found).toEqual({ path: '/downloaded', source: 'download' });
  });

  it('lists everything it tried and says what to do', async () => {
    const resolving = resolveTemporalExecutable({}, [
      fails('PATH', 'no temporal found'),
      fails('cache', 'empty'),
      fails('download', 'no network'),
      fails('wheel', 'no pip'),
    ]);

    await expect(resolving).rejects.toThrow(
      [
        'Cannot find or download the Temporal CLI. These ways failed:',
        '  PATH: no temporal found',
        '  cache: empty',
        '  download: no network',
        '  wheel: no pip',
        'Do one of these: install the Temporal CLI, set TEMPORAL_CLI_PATH to its executable, or set TEMPORAL_ADDRESS to a running Temporal server.',
      ].join('\n'),
    );
  });
});

describe('fillCache', () => {
  const fetchCli = async (incoming: string) => {
    const file = join(incoming, 'fetched');
    await writeFile(file, CLI);
    return file;
  };

  it('keeps one executable that the next start finds', async () => {
    const cacheDir = join(folder, 'cache');

    const path = await fillCache(cacheDir, fetchCli, CLI_DIGEST);

    expect(await resolveTemporalExecutable({ cacheDir })).toEqual({ path, source: 'cache' });
    expect(await readdir(cacheDir)).toEqual(['temporal-1.9.1']);
  });

  it('is safe for processes that fetch at the same time', async () => {
    const cacheDir = join(folder, 'cache');

    const paths = await Promise.all([1, 2, 3].map(() => fillCache(cacheDir, fetchCli, CLI_DIGEST)));

    expect(new Set(paths)).toEqual(new Set([cachedTemporalCli(cacheDir)]));
    expect(await readdir(cacheDir)).toEqual(['temporal-1.9.1']);
  });

  it('caches no file that does not run', async () => {
    const cacheDir = join(folder, 'cache');

    const filling = fillCache(
      cacheDir,
      async (incoming) => {
        await writeFile(join(incoming, 'fetched'), OTHER_PROGRAM);
        return join(incoming, 'fetched');
      },
      digestOf(OTHER_PROGRAM),
    );

    await expect(filling).rejects.toThrow('is not the Temporal CLI');
    expect(await readdir(cacheDir)).toEqual([]);
  });

  it('runs nothing with another digest', async () => {
    const cacheDir = join(folder, 'cache');
    const ran = join(folder, 'ran');
    const hostile = async (incoming: string) => {
      await writeFile(
        join(incoming, 'fetched'),
        `#!/bin/sh\ntouch ${ran}\necho temporal version 1\n`,
      );
      return join(incoming, 'fetched');
    };

    const filling = fillCache(cacheDir, hostile, CLI_DIGEST);

    await expect(filling).rejects.toThrow(/the SHA-256 of fetched is \w{64}, expected /);

    expect(await readdir(cacheDir)).toEqual([]);
    expect(await readdir(folder)).not.toContain('ran');
  });

  it('removes the files of a killed process but not those of a running one', async () => {
    const cacheDir = join(folder, 'cache');
    await mkdir(join(cacheDir, 'incoming-old'), { recursive: true });
    await mkdir(join(cacheDir, 'incoming-new'));
    const twoHoursAgo = Date.now() / 1000 - 2 * 60 * 60;
    await utimes(join(cacheDir, 'incoming-old'), twoHoursAgo, twoHoursAgo);

    await fillCache(cacheDir, fetchCli, CLI_DIGEST);

    expect((await readdir(cacheDir)).sort()).toEqual(['incoming-new', 'temporal-1.9.1']);
  });
});
