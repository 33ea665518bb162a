/**
 * `npm run bench:import -- [--videos 100000] [--kills 20] [--failing 0.05]`: an import from a manifest
 * whose only worker is killed again and again. Fails when a video is created twice, missing or
 * reported wrongly, when a history has more than 10,000 events, or when the run sent more than 1.1
 * times the minimum of requests.
 */
import { parseArgs } from 'node:util';

import { importUnderKills } from '../test/support/runs/import-under-kills.js';

const MAX_EVENTS = 10_000;
const MAX_REQUEST_RATIO = 1.1;

const { values } = parseArgs({
  options: {
    videos: { type: 'string', default: '100000' },
    kills: { type: 'string', default: '20' },
    failing: { type: 'string', default: '0.05' },
  },
});

const { memory, counts, ...figures } = await importUnderKills({
  videos: Number(values.videos),
  kills: Number(values.kills),
  failing: Number(values.failing),
  onProgress: (text) => process.stdout.write(`${text}\n`),
});
const ratio = figures.requests / figures.minimum;
const memoryAt = (share: number): number => memory[Math.floor((memory.length - 1) * share)] ?? 0;
const shown = {
  ...figures,
  counts: JSON.stringify(counts),
  'requests / minimum': ratio.toFixed(3),
  'memory in MiB at a quarter, half, three quarters, maximum': [
    memoryAt(0.25),
    memoryAt(0.5),
    memoryAt(0.75),
    Math.max(...memory),
  ].join(', '),
};
for (const [name, value] of Object.entries(shown)) process.stdout.write(`${name}: ${value}\n`);

const faults = [
  figures.duplicates > 0 && 'videos were created twice',
  figures.missing > 0 && 'videos are missing',
  figures.wrong > 0 && 'the report is wrong about some lines',
  figures.unclassified > 0 && 'failures have no class',
  figures.longestHistory > MAX_EVENTS && 'a history is too long',
  ratio > MAX_REQUEST_RATIO && 'the run sent too many requests',
].filter((fault) => fault !== false);
for (const fault of faults) process.stdout.write(`FAILED: ${fault}\n`);
process.exitCode = faults.length === 0 ? 0 : 1;
