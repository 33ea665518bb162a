import { mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

import { describe, expect, it } from '@jest/globals';
import { z } from 'zod';

import { runIn } from '../support/packaging/run-in.js';

const coverageSchema = z.object({ result: z.array(z.object({ url: z.string() })) });

/** What the built command line loads, told by V8: paths of files. */
async function loadedBy(...args: string[]): Promise<string[]> {
  const folder = await mkdtemp(join(tmpdir(), 'loaded-'));
  const main = resolve('dist/cli/main.js');
  await runIn('.', 'env', [`NODE_V8_COVERAGE=${folder}`, process.execPath, main, ...args]);
  const [report = ''] = await readdir(folder);
  const { result } = coverageSchema.parse(JSON.parse(await readFile(join(folder, report), 'utf8')));
  await rm(folder, { recursive: true });
  return result.flatMap(({ url }) => (url.startsWith('file:') ? [fileURLToPath(url)] : []));
}

function ofPackages(files: readonly string[]): string[] {
  return files.filter((file) => file.includes('/node_modules/'));
}

async function bytesOf(files: readonly string[]): Promise<number> {
  const sizes = await Promise.all(files.map(async (file) => (await stat(file)).size));
  return sizes.reduce((sum, size) => sum + size, 0);
}

/** The modules of commands, by their names in `src/cli/commands`. */
async function commandsOf(files: readonly string[]): Promise<string[]> {
  const sources = await readdir('src/cli/commands', { recursive: true });
  const names = sources.map((file) => basename(file, '.ts'));
  const loaded = files.map((file) => basename(file).replace(/(?:-\w{8})?\.js$/, ''));
  return loaded.filter((name) => names.includes(name));
}

describe('the start of the command line', () => {
  it.each([
    ['the version', ['--version']],
    ['the help', ['--help']],
    ['the help of a command', ['help', 'provision']],
    ['the help of a command in a command', ['schedule', 'create', '--help']],
    ['the completion', ['completion', 'bash']],
    ['an unknown command', ['provison']],
    ['a missing option', ['provision']],
  ])('loads nothing heavy for %s', async (_what, args) => {
    const files = await loadedBy(...args);

    expect(ofPackages(files)).toEqual([]);
    expect(files.length).toBeLessThan(25);
    expect(await bytesOf(files)).toBeLessThan(300_000);
  });

  // Unbundled, a command reads 800 files. The bytes are those of Temporal's client, above all.
  it.each([
    ['list', ['list'], 'list'],
    ['status', ['status', 'x'], 'follow'],
    ['watch', ['watch', 'x'], 'follow'],
    ['provision', ['provision', '--file', 'examples/provision-instance.json'], 'provision'],
  ])('loads few files for %s: no package and no other command', async (_name, args, command) => {
    const files = await loadedBy(...args, '--address', 'nowhere:port');

    expect(ofPackages(files)).toEqual([]);
    expect(await commandsOf(files)).toEqual([command]);
    expect(files.length).toBeLessThan(60);
    expect(await bytesOf(files)).toBeLessThan(3_000_000);
  });
});
