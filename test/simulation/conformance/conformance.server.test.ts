import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { beforeAll, expect, it } from '@jest/globals';
import { z } from 'zod';

import { bundleWorkflows } from '../../support/workers/bundle-workflows.js';
import { differences } from './compare.js';
import { KNOWN_DEVIATIONS } from './known-deviations.js';
import type { RunOptions } from './run-options.js';
import type { Outcome } from './run-scripts.js';
import { scripts } from './scripts/index.js';

const WORKFLOWS = 'test/simulation/conformance/workflows';

let found: ReadonlyMap<string, string> = new Map();

beforeAll(async () => {
  const bundles = {
    now: await bundleWorkflows(`${WORKFLOWS}/index.ts`),
    next: await bundleWorkflows(`${WORKFLOWS}/next-index.ts`),
  };
  const [real, simulated] = await Promise.all([
    play('run-real', { bundles, names: [], atOnce: 20 }),
    play('run-simulated', { bundles, names: [], atOnce: 1 }),
  ]);
  // On a busy machine a real server may take things in another order, and a worker may miss a time limit. Then both get a
  // second chance, with less to do.
  const doubtful = new Set(differences(real, simulated).map(({ name }) => name));
  for (const name of KNOWN_DEVIATIONS.keys()) doubtful.delete(name);
  const again =
    doubtful.size === 0 ? [] : await play('run-real', { bundles, names: [...doubtful], atOnce: 3 });
  const settled = real.map((outcome) => again.find(({ name }) => name === outcome.name) ?? outcome);
  found = new Map(differences(settled, simulated).map(({ name, text }) => [name, text]));
});

const agreeing = scripts.filter(({ name }) => !KNOWN_DEVIATIONS.has(name));

it.each(agreeing)('The simulation does what the real server does: $name', ({ name }) => {
  expect(found.get(name) ?? '').toBe('');
});

it('Has no known deviation that is none any more', () => {
  expect([...KNOWN_DEVIATIONS.keys()].filter((name) => !found.has(name))).toEqual([]);
});

const outcomesSchema = z.array(
  z.object({ name: z.string(), seconds: z.number(), seen: z.unknown() }),
);

/** Runs the scripts in a process of their own. */
async function play(
  program: 'run-real' | 'run-simulated',
  options: Pick<RunOptions, 'bundles' | 'names' | 'atOnce'>,
): Promise<Outcome[]> {
  const file = join(await mkdtemp(join(tmpdir(), 'conformance-')), 'outcomes.json');
  const address = process.env['TEMPORAL_ADDRESS'] ?? 'localhost:7233';
  const told = JSON.stringify({ ...options, file, address });
  const path = `test/simulation/conformance/${program}.ts`;
  const args = ['--import', './test/support/jest/preload.js', path, told];
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'ignore', 'pipe'] });
  const errors: string[] = [];
  child.stderr.on('data', (data: Buffer) => errors.push(data.toString()));
  await once(child, 'exit');
  const { exitCode: code } = child;
  if (code !== 0)
    throw new Error(`${program} ended with ${code}: ${errors.join('').slice(-4_000)}`);
  return outcomesSchema.parse(JSON.parse(await readFile(file, 'utf8')));
}
