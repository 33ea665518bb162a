import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { join } from 'node:path';

import type { ItemCounts } from '../../../src/engine/core/status.js';
import type { ImportReport } from '../../../src/contract/operations/types.js';
import { reportLines } from '../../../src/contract/report-lines.js';
import type { FaultWorld } from '../worlds/fault-world.js';
import { createManifestRoot } from '../worlds/manifests.js';
import { BATCH, video } from '../worlds/videos.js';
import { runUnderKills, type KilledRun, type KillFigures, type Kills } from './under-kills.js';

export interface ImportUnderKills extends Kills {
  videos: number;
  /** Share of videos that fail by chance. */
  failing: number;
}

interface Compared {
  duplicates: number;
  missing: number;
  /** Number of lines whose reported outcome differs from the state of their video. */
  wrong: number;
  unclassified: number;
  counts: ItemCounts;
}

export interface ImportFigures extends Compared, KillFigures {
  /** The minimum number of requests: a call for each batch, and a list call for each 500 videos. */
  minimum: number;
}

const BATCH_SIZE = 500;

export async function importUnderKills({
  videos,
  failing,
  ...kills
}: ImportUnderKills): Promise<ImportFigures> {
  const manifestRoot = createManifestRoot();
  await writeManifest(join(manifestRoot, 'a.jsonl'), videos);
  const minimum = 2 * Math.ceil(videos / BATCH_SIZE);
  const run: KilledRun<'importVideos', Compared> = {
    operation: 'importVideos',
    input: { manifest: { url: 'file:a.jsonl' }, tolerate: { percent: 100 } },
    changes: BATCH,
    minimum,
    world: { videoFailureShare: failing },
    judge: (world, { counts, report }) => ({ ...compare(world, report, videos), counts }),
  };
  return { ...(await runUnderKills(run, manifestRoot, kills)), minimum };
}

/** A stream, because the largest manifest is no string. */
async function writeManifest(file: string, count: number): Promise<void> {
  const stream = createWriteStream(file);
  for (let at = 1; at <= count; at++) stream.write(`${JSON.stringify(video(`video-${at}`))}\n`);
  stream.end();
  await once(stream, 'finish');
}

function compare(
  { simulator }: FaultWorld,
  report: ImportReport,
  asked: number,
): Omit<Compared, 'counts'> {
  const { videos } = simulator.inventory();
  const names = new Set(videos.map(({ name }) => name));
  const byId = new Map(videos.map((row) => [row.id, row]));
  const lines = [...reportLines(report)];
  const wrong = lines.filter(({ line, id = 0, outcome }) => {
    const made = byId.get(id);
    const isFailed = made?.status === 'error' || (made?.status === 'empty' && made.error !== null);
    return made?.name !== `video-${line}` || isFailed !== (outcome === 'failed');
  });
  return {
    duplicates: videos.length - names.size,
    missing: asked - names.size,
    wrong: wrong.length + Math.abs(lines.length - asked),
    unclassified: lines.filter(
      ({ outcome, class: kind }) => outcome === 'failed' && kind === undefined,
    ).length,
  };
}
