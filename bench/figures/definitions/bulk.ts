import { importUnderKills } from '../../../test/support/runs/import-under-kills.js';
import { pushUnderKills } from '../../../test/support/runs/push-under-kills.js';
import type { FigureDefinition, Size } from '../definition.js';
import type { Measured } from '../document/figure.js';

const IMPORT = 'import of 100,000 videos';
const PUSH = 'push of 50,000 items';
const IMPORTS = {
  full: { videos: 100_000, kills: 20, failing: 0.05 },
  quick: { videos: 1_000, kills: 1, failing: 0.05 },
} as const;
const PUSHES = { full: { items: 50_000, kills: 10 }, quick: { items: 200, kills: 1 } } as const;
const MAX_EVENTS = 10_000;
const MAX_RATIO = 1.1;

export const bulk: FigureDefinition = {
  id: 'bulk',
  title: 'Imports and pushes',
  about: `An import of 100,000 videos, of which 5 % fail, whose only worker is killed 20 times with \`kill -9\`; and a push of 50,000 KV items, read back
one by one, whose only worker is killed 10 times. The cloud and the polls are 100 times as fast as in reality, so the times are those of the
product, not of an API. The minimum of requests is that of a client that never loses an answer: a call and a list for each 500
videos; a call for each 1,000 items and a read of each key.`,
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
  chart: { kind: 'bar', x: 'what', panels: [['ratio'], ['events'], ['memory']] },
  parts: [IMPORT, PUSH],
  minutes: 10,
  measure: (part, size) => (part === IMPORT ? measureImport(size) : measurePush(size)),
};

async function measureImport(size: Size): Promise<Measured> {
  const { duplicates, missing, wrong, unclassified, longestHistory, memory, ...figures } =
    await importUnderKills({ ...IMPORTS[size], onProgress });
  const { requests, minimum, seconds, kills, histories } = figures;
  const ratio = requests / minimum;
  const faulty = duplicates + missing + wrong + unclassified;
  return {
    rows: [
      {
        ...{ what: IMPORT, requests, minimum, ratio, seconds, kills, histories },
        ...{ events: longestHistory, memory: Math.max(...memory), wrong: faulty },
      },
    ],
    checks: [
      { promise: 'No video is doubled, missing or reported wrongly', kept: faulty === 0 },
      { promise: `At most ${MAX_EVENTS} events a history`, kept: longestHistory <= MAX_EVENTS },
      { promise: `At most ${MAX_RATIO} times the minimum of requests`, kept: ratio <= MAX_RATIO },
    ],
  };
}

async function measurePush(size: Size): Promise<Measured> {
  const { wrong, keys, verified, chunks, longestHistory, memory, ...figures } =
    await pushUnderKills({ ...PUSHES[size], onProgress });
  const { requests, seconds, kills, histories } = figures;
  const minimum = chunks + keys;
  return {
    rows: [
      {
        ...{ what: PUSH, requests, minimum, ratio: requests / minimum, seconds, kills, histories },
        ...{ events: longestHistory, memory: Math.max(...memory), wrong },
      },
    ],
    checks: [
      { promise: 'The store holds exactly the items', kept: wrong === 0 },
      { promise: 'Every key has been read back', kept: verified === keys },
    ],
  };
}

function onProgress(text: string): void {
  process.stderr.write(`${text}\n`);
}
