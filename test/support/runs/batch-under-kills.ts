import { batchLines } from '../../../src/contract/batch-lines.js';
import type { BatchReport } from '../../../src/contract/operations/types.js';
import type { ItemCounts } from '../../../src/engine/core/status.js';
import { CREATE_PATH, provisionInput } from '../inputs/provision-input.js';
import type { FaultWorld } from '../worlds/fault-world.js';
import { createManifestRoot } from '../worlds/manifests.js';
import { runUnderKills, type KillFigures, type Kills } from './under-kills.js';

export interface BatchUnderKills extends Kills {
  items: number;
  /** Each so manieth item names a flavor that does not exist. */
  refusedEach: number;
  atOnce: number;
}

interface Compared {
  /** Instances beyond the first of an item. */
  twice: number;
  /** Items without an instance that the report calls done. */
  lost: number;
  /** Lines whose outcome is not what the item asked for. */
  wrong: number;
  counts: ItemCounts;
}

export interface BatchFigures extends Compared, KillFigures {
  /** The minimum number of requests: a create and a look for each item. */
  minimum: number;
}

const nameOf = (line: number): string => `server-${line}`;

/** Makes instances by one batch whose only worker is killed, then compares its report with the cloud. */
export async function batchUnderKills({
  items: count,
  refusedEach,
  atOnce,
  ...kills
}: BatchUnderKills): Promise<BatchFigures> {
  const isRefused = (line: number): boolean => line % refusedEach === 0;
  const items = Array.from({ length: count }, (_, at) =>
    provisionInput({
      name: nameOf(at + 1),
      ...(isRefused(at + 1) && { flavor: 'g9-unknown' }),
    }),
  );
  const minimum = 2 * count;
  const figures = await runUnderKills(
    {
      operation: 'runBatch',
      input: {
        operation: 'provisionInstance',
        manifest: { url: 'file:fleet.jsonl' },
        atOnce,
        tolerate: { percent: 100 },
      },
      changes: { method: 'POST', path: CREATE_PATH },
      minimum,
      world: {},
      judge: (world, { counts, report }) => ({ ...compare(world, report, isRefused), counts }),
    },
    createManifestRoot({ 'fleet.jsonl': items }),
    kills,
  );
  return { ...figures, minimum };
}

function compare(
  { simulator }: FaultWorld,
  report: BatchReport,
  isRefused: (line: number) => boolean,
): Omit<Compared, 'counts'> {
  const names = simulator.inventory().instances.map(({ name }) => name);
  const made = new Set(names);
  const lines = [...batchLines(report)];
  const lost = lines.filter(
    ({ line, outcome }) => outcome === 'succeeded' && !made.has(nameOf(line)),
  );
  const wrong = lines.filter(
    ({ line, outcome }) =>
      outcome !== (isRefused(line) ? 'failed' : 'succeeded') ||
      made.has(nameOf(line)) === isRefused(line),
  );
  return { twice: names.length - made.size, lost: lost.length, wrong: wrong.length };
}
