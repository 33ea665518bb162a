/**
 * Bulk work in a plain loop, without Temporal and without safeguards: reads a list, sends it in parts, and lists the
 * videos until they are ready. Tells its parent what it has cost.
 */
import { readFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';

import ky from 'ky';
import { z } from 'zod';

import { chunksOf } from '../../src/engine/core/chunks.js';

const [baseUrl = '', apiKey = '', kind = '', file = '', pollMs = ''] = process.argv.slice(2);
const api = ky.create({
  prefixUrl: baseUrl,
  headers: { authorization: `apikey ${apiKey}` },
  timeout: 60_000,
});
const videosSchema = z.array(z.object({ id: z.number(), status: z.string() }));

function partsOf(size: number): unknown[][] {
  const lines = readFileSync(file, 'utf8').trimEnd().split('\n');
  const items = lines.map((line): unknown => JSON.parse(line));
  return chunksOf(items, size);
}

async function importVideos(): Promise<void> {
  const parts: number[][] = [];
  for (const videos of partsOf(500)) {
    const made = await api.post('streaming/videos/batch', { json: { videos } }).json();
    parts.push(videosSchema.parse(made).map(({ id }) => id));
  }
  for (const ids of parts) {
    for (;;) {
      const query = { id: ids.join(','), per_page: 500 };
      const shown = await api.get('streaming/videos', { searchParams: query }).json();
      if (videosSchema.parse(shown).every(({ status }) => status === 'ready')) break;
      await delay(Number(pollMs));
    }
  }
}

async function pushItems(): Promise<void> {
  for (const items of partsOf(1_000)) {
    await api.put('fastedge/v1/kv/1/data', { json: items }).text();
  }
}

await (kind === 'import' ? importVideos() : pushItems());
const { user, system } = process.cpuUsage();
process.send?.({
  cpuMs: (user + system) / 1_000,
  peakMib: process.resourceUsage().maxRSS / 1_024,
});
process.disconnect();
