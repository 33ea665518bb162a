import { describe, expect, it } from '@jest/globals';

import { simulateOutage, type SimulatedRun } from './simulate-outage.js';

const MINUTE_MS = 60_000;

/** What a provision asks for in its region. */
const PROVISION = [
  '/cloud/v1/flavors/1/1',
  '/cloud/v1/images/1/1/i',
  '/cloud/v1/networks/1/1/n',
  '/cloud/v1/instances/1/1',
  '/cloud/v1/volumes/1/1',
  '/cloud/v2/instances/1/1',
  '/cloud/v1/instances/1/1/own',
  '/cloud/v1/floatingips/1/1',
];

function runs(count: number, pathsOf: (index: number) => readonly string[], beginsAt = 0) {
  return Array.from({ length: count }, (_, index): SimulatedRun => ({
    name: `run-${beginsAt}-${index}`,
    paths: pathsOf(index),
    // Not in step.
    beginsAt: beginsAt + index * 137,
  }));
}

/** Seconds that a healthy run takes beside five whose calls are never answered. */
async function besidePoisoned(
  poisoned: (index: number) => readonly string[],
  healthy: readonly string[],
  processes = 1,
): Promise<number> {
  const own = poisoned(0).filter((path) => !healthy.includes(path));
  const broken = new Set(
    [0, 1, 2, 3, 4].flatMap(poisoned).filter((path) => !healthy.includes(path)),
  );
  expect(own.length).toBeGreaterThan(0);
  const beginsAt = 2 * MINUTE_MS;
  const { endedAt } = await simulateOutage({
    answers: (path) => !broken.has(path),
    runs: [...runs(5, poisoned), { name: 'healthy', paths: healthy, beginsAt }],
    processes,
    untilMs: 20 * MINUTE_MS,
  });
  return ((endedAt.get('healthy') ?? Infinity) - beginsAt) / 1_000;
}

describe.each([1, 3])('a healthy run beside five poisoned ones, with %d processes', (processes) => {
  it.each([
    [
      'a service of the region that does not answer',
      (index: number) => [`/cloud/v1/ddos/profiles/1/1/${index}`],
      PROVISION,
    ],
    [
      'machines that cannot be read',
      (index: number) => [`/cloud/v1/instances/1/1/m-${index % 3}`],
      PROVISION,
    ],
    [
      'two services that do not answer',
      (index: number) => [
        index % 2 === 0
          ? `/cloud/v1/ddos/profiles/1/1/${index}`
          : `/cloud/v1/keypairs/1/1/${index}`,
      ],
      PROVISION,
    ],
    [
      'broken stores',
      (index: number) => [`/fastedge/v1/kv/${index % 4}`],
      ['/fastedge/v1/kv/9', '/fastedge/v1/kv/9/data', '/fastedge/v1/kv/9/data/a'],
    ],
  ])('is not slowed down: %s', async (_title, poisoned, healthy) => {
    const alone = (healthy.length - 1) * 0.1;

    const seconds = await besidePoisoned(poisoned, healthy, processes);

    expect(seconds).toBeLessThanOrEqual(alone * 1.5);
  });
});

describe('a run whose own call fails, beside others with the same path', () => {
  it('keeps nobody from it', async () => {
    const { endedAt } = await simulateOutage({
      answers: (_path, atMs) => atMs >= 2 * MINUTE_MS,
      runs: [
        ...runs(5, () => ['/cloud/v2/instances/1/1']),
        { name: 'healthy', paths: PROVISION, beginsAt: 2 * MINUTE_MS },
      ],
      processes: 1,
      untilMs: 3 * MINUTE_MS,
    });

    expect(endedAt.get('healthy')).toBe(2 * MINUTE_MS + (PROVISION.length - 1) * 100);
  });
});

/** An outage of everything, of a minute, while so many runs are open. */
async function outageOf(count: number, processes: number) {
  const { sent, endedAt } = await simulateOutage({
    answers: (_path, atMs) => atMs >= MINUTE_MS,
    runs: runs(count, (index) => [...PROVISION.slice(index % 6), ...PROVISION.slice(0, index % 6)]),
    processes,
    untilMs: 5 * MINUTE_MS,
  });
  const first = new Map<string, number>();
  for (const { atMs, run } of sent) {
    if (atMs >= MINUTE_MS && !first.has(run)) first.set(run, atMs - MINUTE_MS);
  }
  return {
    inOutage: sent.filter(({ atMs }) => atMs < MINUTE_MS),
    wentOnAfterMs: Math.max(...first.values()),
    wentOn: first.size,
    ended: endedAt.size,
  };
}

describe('the outage of a whole region', () => {
  it('gets no more than 20 requests a minute from one process', async () => {
    const { inOutage } = await outageOf(40, 1);

    expect(inOutage.length).toBeLessThanOrEqual(20);
    expect(inOutage.length).toBeGreaterThan(8);
  });

  it('is recognised with the fifth request', async () => {
    const { inOutage } = await outageOf(40, 1);

    const [, , , , fifth, sixth] = inOutage.map(({ atMs }) => atMs);
    expect(fifth).toBeLessThan(1_000);
    expect((sixth ?? 0) - (fifth ?? 0)).toBeGreaterThan(0);
  });

  it.each([1, 3])(
    'is over for every run 30 s after its end, with %d processes',
    async (processes) => {
      const outage = await outageOf(40, processes);

      expect(outage.wentOn).toBe(40);
      expect(outage.wentOnAfterMs).toBeLessThanOrEqual(30_000);
      expect(outage.ended).toBe(40);
    },
  );

  it('is over too while one thing goes on failing', async () => {
    const broken = '/cloud/v1/instances/1/1/broken';
    const { endedAt } = await simulateOutage({
      answers: (path, atMs) => path !== broken && atMs >= MINUTE_MS,
      runs: [...runs(20, () => [broken]), ...runs(3, () => PROVISION, 50)],
      processes: 1,
      untilMs: 2 * MINUTE_MS,
    });

    expect(endedAt.size).toBe(3);
  });
});
