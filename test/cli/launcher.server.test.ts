import { chmod, copyFile, mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { describe, expect, it } from '@jest/globals';

import { emptyFolder, runIn } from '../support/packaging/run-in.js';

const LAUNCHER = 'gcore-workflows';

/** A checkout where nothing is installed or built. */
async function checkout(): Promise<string> {
  const folder = await emptyFolder();
  await copyFile(LAUNCHER, join(folder, LAUNCHER));
  return folder;
}

/** A program of this name that says it is this version. */
async function fakeNode(version: string): Promise<string> {
  const folder = await emptyFolder();
  await writeFile(join(folder, 'node'), `#!/bin/sh\necho ${version}\n`);
  await chmod(join(folder, 'node'), 0o755);
  return folder;
}

describe('the launcher of a checkout', () => {
  it('runs the command line, and the texts name the launcher as it is called there', async () => {
    const version = /"version": "(.+)"/.exec(await readFile('package.json', 'utf8'))?.[1] ?? '';
    const here = await runIn('.', `./${LAUNCHER}`, ['--version']);
    const help = await runIn('.', `./${LAUNCHER}`, ['list', '--help']);
    const below = await runIn('docs', `../${LAUNCHER}`, ['provison']);

    expect(here).toEqual({ code: 0, stdout: `${version}\n`, stderr: '' });
    expect(help.stdout).toContain('  ./gcore-workflows list --phase blocked --watch\n');
    expect(below.stderr).toContain('See all commands: ../gcore-workflows --help\n');
  });

  it('says what to install', async () => {
    const folder = await checkout();

    const { code, stdout, stderr } = await runIn(folder, `./${LAUNCHER}`, ['list']);

    expect([code, stdout]).toEqual([64, '']);
    expect(stderr).toBe(
      `Error: NotInstalled: The packages are not installed.\n  what to do  (cd '${folder}' && npm ci && npm run build)\n`,
    );
  });

  it('says what to build', async () => {
    const folder = await checkout();
    await mkdir(join(folder, 'node_modules'));

    const { code, stderr } = await runIn(folder, `./${LAUNCHER}`, ['list']);

    expect(code).toBe(64);
    expect(stderr).toContain(`NotBuilt`);
    expect(stderr).toContain(`(cd '${folder}' && npm run build)`);
  });

  it.each([
    ['v18.20.8', true],
    ['v20.18.3', true],
    ['v20.19.0', false],
    ['v24.1.0', false],
  ])('refuses a Node.js that is too old: %s is %p', async (version, isOld) => {
    const folder = await checkout();
    const path = `PATH=${await fakeNode(version)}:/usr/bin:/bin`;

    const { stderr } = await runIn(folder, 'env', [path, `./${LAUNCHER}`]);

    expect(stderr.includes(`This is Node.js ${version}`)).toBe(isOld);
  });
});
