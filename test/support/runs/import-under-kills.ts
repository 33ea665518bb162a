import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { join } from 'node:path';

import { RunFailedError } from '../../../src/client/index.js';
import type { ItemCounts } from '../../../src/engine/core/status.js';
import type { ImportReport } from '../../../src/contract/operations/import-videos.js';
import { reportLines } from '../../../src/contract/report-lines.js';
import { inFaultWorld, type FaultWorld } from '../worlds/fault-world.js';
import { historiesOf } from '../replay/histories-of.js';
import { killAgainAndAgain } from './kill-again-and-again.js';
import { createManifestRoot } from '../worlds/manifests.js';
import { BATCH, video } from '../worlds/videos.js';

export interface ImportUnderKills {
  videos: number;
  /** Share of videos that fail by chance. */
  failing: number;
  /** Number of times that the only worker gets `kill -9`, spread over the run. */
  kills: number;
  onProgress?: (text: string) => void;
}

/** The figures of an import whose worker was killed several times. */
export interface ImportFigures {
  duplicates: number;
  missing: number;
  /** Number of lines whose reported outcome differs from the state of their video. */
  wrong: number;
  unclassified: number;
  counts: ItemCounts | undefined;
  kills: number;
  requests: number;
  /** The minimum number of requests: a call for each batch, and a list call for each 500 videos. */
  minimum: number;
  longestHistory: number;
  histories: number;
  /** Samples of the worker's resident memory, in MiB. */
  memory: number[];
  seconds: number;
}

const WORKFLOW_ID = 'import-under-kills';
const BATCH_SIZE = 500;
const SPEED = 100;
/** The API carries out a batch, then waits with its answer. A kill in between loses the answer. */
const ANSWER_MS = 100;

export async function importUnderKills(options: ImportUnderKills): Promise<ImportFigures> {
  const manifestRoot = createManifestRoot();
  await writeManifest(join(manifestRoot, 'a.jsonl'), options.videos);
  let figures: ImportFigures | undefined;
  await inFaultWorld(
    async (world) => {
      figures = await measure(world, options);
    },
    {
      timeScale: 1 / SPEED,
      videoFailureShare: options.failing,
      fast: { speed: SPEED, reconcileGraceMs: 2_000, probeMs: 500, manifestRoot },
    },
  );
  if (figures === undefined) throw new Error('nothing was measured');
  return figures;
}

async function writeManifest(file: string, count: number): Promise<void> {
  const stream = createWriteStream(file);
  for (let at = 1; at <= count; at++) stream.write(`${JSON.stringify(video(`video-${at}`))}\n`);
  stream.end();
  await once(stream, 'finish');
}

async function measure(world: FaultWorld, options: ImportUnderKills): Promise<ImportFigures> {
  const { simulator, gcore } = world;
  const action = { kind: 'delay', ms: ANSWER_MS, afterProcessing: true } as const;
  simulator.faults.add({ match: { ...BATCH, times: Infinity }, action });
  const startedAt = Date.now();
  const worker = await world.startWorker();
  const input = { manifest: { url: 'file:a.jsonl' }, tolerate: { percent: 100 } };
  const request = { requestId: 'x', workflowId: WORKFLOW_ID, input };
  await gcore.start('importVideos', request);
  const minimum = 2 * Math.ceil(options.videos / BATCH_SIZE);
  const ended = gcore.result('importVideos', WORKFLOW_ID).catch((error: unknown) => {
    if (error instanceof RunFailedError) return undefined;
    throw error;
  });
  const killed = await killAgainAndAgain(world, { ...options, minimum, worker, ended });
  const result = await ended;
  const report = await gcore.report(WORKFLOW_ID);
  return {
    ...compare(world, report, options.videos),
    ...killed,
    ...(await historiesOf(world, WORKFLOW_ID)),
    counts: result?.counts,
    requests: simulator.requests.length,
    minimum,
    seconds: Math.round((Date.now() - startedAt) / 1000),
  };
}

function compare({ simulator }: FaultWorld, report: ImportReport, asked: number) {
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
