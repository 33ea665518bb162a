import { z } from 'zod';

import { batchUnderKills } from '../../test/support/runs/batch-under-kills.js';
import { importUnderKills } from '../../test/support/runs/import-under-kills.js';
import { pushUnderKills } from '../../test/support/runs/push-under-kills.js';
import { defineBench, number } from '../bench.js';
import type { Measured } from '../document/figure.js';
import { tell } from '../tell.js';

const IMPORT = 'import of 100,000 videos';
const PUSH = 'push of 50,000 items';
const BATCH = 'batch of 10,000 instances';
const MAX_EVENTS = 10_000;
const MAX_RATIO = 1.1;

const settings = z.strictObject({
  videos: number(100_000),
  /** Share of the videos. */
  failing: number(0.05),
  items: number(50_000),
  instances: number(10_000),
  kills: number(20),
});
type Plan = z.output<typeof settings>;

export const bulk = defineBench({
  id: 'bulk',
  title: 'Imports, pushes and batches',
  summary: 'an import, a push and a batch whose only worker is killed again and again',
  minutes: 40,
  columns: [
    { key: 'what', title: 'run' },
    { key: 'requests', title: 'requests' },
    { key: 'minimum', title: 'minimum' },
    { key: 'ratio', title: 'requests / minimum' },
    { key: 'seconds', title: 'time', unit: 's' },
    { key: 'kills', title: 'kills' },
    { key: 'histories', title: 'histories' },
    { key: 'events', title: 'longest history', unit: 'events' },
    { key: 'memory', title: 'worker at most', unit: 'MiB' },
    { key: 'wrong', title: 'doubled, missing or wrong' },
  ],
  page: {
    about: `An import of 100,000 videos, of which 5 % fail, whose only worker is killed 20 times with \`kill -9\`; and a push of 50,000 KV items, read back
one by one, whose only worker is killed 10 times; and a batch of 10,000 instances, 100 at a time, of which 1 % are refused, whose only worker is
killed 20 times. The cloud and the polls are 100 times as fast as in reality, so the times are those of the
product, not of an API. The minimum of requests is that of a client that never loses an answer: a call and a list for each 500
videos; a call for each 1,000 items and a read of each key; a create and a look for each instance.`,
    chart: { kind: 'bar', x: 'what', panels: [['ratio'], ['events'], ['memory']] },
  },
  settings,
  parts: { [IMPORT]: {}, [PUSH]: { kills: 10 }, [BATCH]: {} },
  quick: { videos: 1_000, items: 200, instances: 20, kills: 1 },
  measure: (plan, part) => {
    if (part === IMPORT) return measureImport(plan);
    return part === PUSH ? measurePush(plan) : measureBatch(plan);
  },
});

async function measureImport({ videos, failing, kills: wanted }: Plan): Promise<Measured> {
  const figures = await importUnderKills({ videos, failing, kills: wanted, onProgress: tell });
  const { requests, minimum, seconds, kills, histories, longestHistory: events } = figures;
  const ratio = requests / minimum;
  const wrong = figures.duplicates + figures.missing + figures.wrong + figures.unclassified;
  const memory = Math.max(...figures.memory);
  const memoryAt = (share: number) =>
    figures.memory[Math.floor((figures.memory.length - 1) * share)];
  tell(`outcomes: ${JSON.stringify(figures.counts)}`);
  tell(`MiB at a quarter, half, three quarters: ${[0.25, 0.5, 0.75].map(memoryAt).join(', ')}`);
  const row = { what: IMPORT, requests, minimum, ratio, seconds, kills, histories };
  return {
    rows: [{ ...row, events, memory, wrong }],
    checks: [
      { promise: 'No video is doubled, missing or reported wrongly', kept: wrong === 0 },
      { promise: `At most ${MAX_EVENTS} events a history`, kept: events <= MAX_EVENTS },
      { promise: `At most ${MAX_RATIO} times the minimum of requests`, kept: ratio <= MAX_RATIO },
    ],
  };
}

async function measurePush({ items, kills: wanted }: Plan): Promise<Measured> {
  const figures = await pushUnderKills({ items, kills: wanted, onProgress: tell });
  const { requests, seconds, kills, histories, longestHistory: events, wrong } = figures;
  const minimum = figures.chunks + figures.keys;
  const memory = Math.max(...figures.memory);
  const row = { what: PUSH, requests, minimum, ratio: requests / minimum, seconds, kills };
  return {
    rows: [{ ...row, histories, events, memory, wrong }],
    checks: [
      { promise: 'The store holds exactly the items', kept: wrong === 0 },
      { promise: 'Every key has been read back', kept: figures.verified === figures.keys },
    ],
  };
}

const AT_ONCE = 100;
const REFUSED_EACH = 100;

async function measureBatch({ instances: items, kills: wanted }: Plan): Promise<Measured> {
  const asked = { items, kills: wanted, refusedEach: REFUSED_EACH, atOnce: AT_ONCE };
  const figures = await batchUnderKills({ ...asked, onProgress: tell });
  const { requests, minimum, seconds, kills, histories, longestHistory: events } = figures;
  const memory = Math.max(...figures.memory);
  const wrong = figures.twice + figures.lost + figures.wrong;
  tell(`outcomes: ${JSON.stringify(figures.counts)}`);
  const row = { what: BATCH, requests, minimum, ratio: requests / minimum, seconds, kills };
  return {
    rows: [{ ...row, histories, events, memory, wrong }],
    checks: [
      { promise: 'One instance for each item, and the report is the inventory', kept: wrong === 0 },
      { promise: `At most ${MAX_EVENTS} events a history`, kept: events <= MAX_EVENTS },
    ],
  };
}
