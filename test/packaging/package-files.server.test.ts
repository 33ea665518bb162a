import { readdir, readFile, mkdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';

import { beforeAll, describe, expect, it } from '@jest/globals';
import { z } from 'zod';

import { emptyFolder, runIn } from '../support/packaging/run-in.js';
import { unpackedPackage } from '../support/packaging/unpacked.js';

const mapSchema = z.object({
  sources: z.array(z.string()).min(1),
  sourcesContent: z.array(z.string().min(1)).min(1),
});

let folder: string;
let files: string[];

beforeAll(async () => {
  folder = await unpackedPackage();
  files = await readdir(folder, { recursive: true });
});

describe('the tarball of the package', () => {
  it('holds no state of the compiler and no tests of the project', () => {
    expect(files).toContain(join('dist', 'cli', 'main.js'));
    expect(files).toContain(join('dist', 'workflow-bundle.js'));
    expect(files).toContain(join('dist', 'schemas', 'provisionInstance.input.json'));
    expect(files.filter((name) => /tsbuildinfo|^dist.*\.test\./.test(name))).toEqual([]);
  });

  it('holds the source of every source map', async () => {
    const maps = files.filter((name) => name.endsWith('.map'));

    expect(maps.length).toBeGreaterThan(100);
    for (const name of maps) {
      const map = mapSchema.parse(JSON.parse(await readFile(join(folder, name), 'utf8')));
      expect(map.sourcesContent).toHaveLength(map.sources.length);
    }
  });
});

describe('the command line without its packages', () => {
  const run = async (...args: string[]) => {
    const installed = join(await emptyFolder(), 'node_modules', 'gcore-workflows');
    await mkdir(dirname(installed));
    await runIn('.', 'cp', ['-r', folder, installed]);
    return runIn(installed, process.execPath, [join('dist', 'cli', 'main.js'), ...args]);
  };

  it('needs none of them to talk to the Temporal server', async () => {
    const { code, stderr } = await run('list', '--address', '127.0.0.1:1');

    expect(code).toBe(1);
    expect(stderr).toContain('No Temporal server answers at 127.0.0.1:1');
  });

  it('names the missing package and the command that installs it', async () => {
    const { code, stdout, stderr } = await run('worker');

    expect([code, stdout]).toEqual([1, '']);
    expect(stderr).toMatch(/^Error: NotInstalled: The package "[@\w/]+" is not installed\.\n/);
    expect(stderr).toContain('"npm ci"');
    expect(stderr).not.toContain('    at ');
  });

  it('tells a program so as JSON', async () => {
    const { stderr } = await run('worker', '-o', 'json');

    expect(JSON.parse(stderr)).toMatchObject({ error: { type: 'NotInstalled' } });
  });
});

describe('the licences of the packages in the command line', () => {
  it('stand beside it', async () => {
    const text = await readFile(join(folder, 'dist', 'cli', 'third-party-licences.txt'), 'utf8');

    for (const name of ['@temporalio/client', '@grpc/grpc-js', 'zod', 'commander', 'protobufjs']) {
      expect(text).toMatch(new RegExp(`^${name} \\d+\\.\\d+\\.\\d+, [\\w.-]+\\n\\n\\S`, 'm'));
    }
  });
});
