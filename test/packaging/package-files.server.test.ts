import { readdir, readFile, symlink, mkdir } from 'node:fs/promises';
import { join, resolve } from 'node:path';

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
  const runWith = async (packages: string[], args: string[]) => {
    const modules = join(await emptyFolder(), 'node_modules');
    await mkdir(join(modules, '@temporalio'), { recursive: true });
    for (const name of packages) await symlink(resolve('node_modules', name), join(modules, name));
    const installed = join(modules, 'gcore-workflows');
    await runIn('.', 'cp', ['-r', folder, installed]);
    return runIn(installed, process.execPath, [join('dist', 'cli', 'main.js'), ...args]);
  };

  it('names the missing package and the command that installs it', async () => {
    const { code, stdout, stderr } = await runWith([], ['list']);

    expect([code, stdout]).toEqual([1, '']);
    expect(stderr).toMatch(/^Error: NotInstalled: The package "[@\w/]+" is not installed\.\n/);
    expect(stderr).toContain('"npm ci"');
    expect(stderr).not.toContain('    at ');
  });

  it('tells a program so as JSON', async () => {
    const { stderr } = await runWith([], ['list', '-o', 'json']);

    expect(JSON.parse(stderr)).toMatchObject({ error: { type: 'NotInstalled' } });
  });

  it('names the missing package of the worker when it starts one', async () => {
    const ofTemporal = ['client', 'common', 'envconfig', 'proto', 'workflow'];
    const present = ['commander', 'zod', 'ms', ...ofTemporal.map((name) => `@temporalio/${name}`)];

    const { code, stderr } = await runWith(present, ['worker']);

    expect(code).toBe(1);
    expect(stderr).toMatch(/^Error: NotInstalled: The package "[@\w/-]+" is not installed\.\n/);
  });
});
