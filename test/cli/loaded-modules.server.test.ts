import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
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

function packagesOf(files: readonly string[]): string[] {
  const names = files.flatMap(
    (file) => /\/node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(file)?.[1] ?? [],
  );
  return [...new Set(names)].sort();
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

    expect(packagesOf(files)).toEqual(['commander', 'ms']);
    expect(files.length).toBeLessThan(50);
  });

  it('loads for a command neither the others nor what serves', async () => {
    const files = await loadedBy('status', 'x', '--address', 'nowhere:port');

    expect(packagesOf(files)).toContain('@temporalio/client');
    expect(packagesOf(files)).not.toEqual(
      expect.arrayContaining([expect.stringMatching(/hono|worker|core-bridge|opentelemetry/)]),
    );
    const commands = files.filter((file) => file.includes('/cli/commands/'));
    expect(commands.map((file) => file.split('/').at(-1)).sort()).toEqual([
      ...['completion.js', 'follow.js', 'index.js'],
    ]);
  });
});
