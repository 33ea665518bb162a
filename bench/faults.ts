/**
 * `npm run test:faults -- [--seeds 1000] [--from 1] [--seed N] [--fresh] [--at-once 3]`: the fault matrix in full.
 *
 * Every seed decides what goes wrong in one run and when (test/faults/matrix). Prints a line per batch
 * and a table at the end. Exits with 1 when a seed is not clean. `.cache/fault-matrix.json` keeps the
 * results, so an interrupted matrix continues where it stopped; `--fresh` starts again. `--seed N`
 * runs only this seed and prints its plan.
 */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';

import { z } from 'zod';

import { Phase } from '../src/engine/core/status.js';
import { batchesOf } from '../test/faults/matrix/batches.js';
import { planSeed } from '../test/faults/matrix/plan-seed.js';
import { isClean, runBatch, type JudgedSeed } from '../test/faults/matrix/run-worlds.js';
import { withTemporal } from './worlds.js';

const { values } = parseArgs({
  options: {
    seeds: { type: 'string', default: '1000' },
    from: { type: 'string', default: '1' },
    seed: { type: 'string' },
    'at-once': { type: 'string', default: '3' },
    fresh: { type: 'boolean', default: false },
  },
});

const RESULTS_FILE = '.cache/fault-matrix.json';

const resultsSchema = z.array(
  z.object({
    seed: z.number(),
    cell: z.string(),
    phase: z.enum([...Object.values(Phase), 'open']),
    met: z.number(),
    lost: z.boolean(),
    wrongEnd: z.boolean(),
    differences: z.number(),
    requests: z.number(),
    overBudget: z.boolean(),
    seconds: z.number(),
    stuckAt: z.string().optional(),
    mostOfOne: z.number(),
    replay: z.string(),
  }),
);

function readResults(): JudgedSeed[] {
  if (values.fresh || values.seed !== undefined || !existsSync(RESULTS_FILE)) return [];
  return resultsSchema.parse(JSON.parse(readFileSync(RESULTS_FILE, 'utf8')));
}

function writeResults(results: readonly JudgedSeed[]): void {
  if (values.seed !== undefined) return;
  mkdirSync('.cache', { recursive: true });
  writeFileSync(RESULTS_FILE, JSON.stringify(results));
}

function seedsToRun(known: readonly JudgedSeed[]): number[] {
  if (values.seed !== undefined) return [Number(values.seed)];
  const from = Number(values.from);
  const all = Array.from({ length: Number(values.seeds) }, (_, index) => from + index);
  return all.filter((seed) => !known.some((result) => result.seed === seed));
}

function printTable(results: readonly JudgedSeed[]): void {
  const count = (is: (result: JudgedSeed) => boolean): number => results.filter(is).length;
  for (const cell of [...new Set(results.map((result) => result.cell))].sort()) {
    const ofCell = results.filter((result) => result.cell === cell);
    const dirty = ofCell.filter((result) => !isClean(result)).map(({ seed }) => seed);
    const verdict = dirty.length === 0 ? 'clean' : `not clean: ${dirty.join(', ')}`;
    process.stdout.write(
      `${cell.padEnd(60)} ${String(ofCell.length).padStart(4)} seeds  ${verdict}\n`,
    );
  }
  const requests = results.map((result) => result.requests).sort((a, b) => a - b);
  const median = requests[Math.floor(requests.length / 2)] ?? 0;
  const lines = [
    `seeds              ${results.length}`,
    `duplicates         ${count(({ mostOfOne }) => mostOfOne > 1)}`,
    `lost               ${count(({ lost }) => lost)}`,
    `wrong ends         ${count(({ wrongEnd }) => wrongEnd)}`,
    `ledger differences ${results.reduce((sum, { differences }) => sum + differences, 0)}`,
    `over budget        ${count(({ overBudget }) => overBudget)}`,
    `do not replay      ${count(({ replay }) => replay !== '')}`,
    `met no fault       ${count(({ met }) => met === 0)}`,
    `requests per run   median ${median}, max ${requests.at(-1) ?? 0}`,
  ];
  process.stdout.write(`\n${lines.join('\n')}\n`);
}

const results = readResults();
const plans = seedsToRun(results).map(planSeed);
if (values.seed !== undefined) process.stdout.write(`${JSON.stringify(plans, null, 2)}\n`);
const batches = batchesOf(plans).values();

/** Batches mostly wait, so a few in parallel take little longer than one. */
async function runBatches(): Promise<void> {
  for (const batch of batches) {
    const seeds = await runBatch(batch.plans);
    results.push(...seeds);
    writeResults(results);
    const dirty = seeds.filter((seed) => !isClean(seed));
    process.stdout.write(`${batch.name}: ${dirty.length === 0 ? 'clean' : 'NOT CLEAN'}\n`);
    for (const seed of dirty) process.stdout.write(`${JSON.stringify(seed)}\n`);
  }
}

await withTemporal({ exactTimers: true }, async () => {
  await Promise.all(Array.from({ length: Number(values['at-once']) }, runBatches));
  printTable(results);
});
process.exitCode = results.every(isClean) ? 0 : 1;
