import { describe, expect, it } from '@jest/globals';

import type { RunFilter } from '../../src/client/index.js';
import { createAccountHints, createDueHints, leastPauseMs } from '../../src/gateway/video-hints.js';
import { collectGarbage } from '../support/http/collect-garbage.js';
import { until } from '../support/timing/until.js';

const LIST_EVERY_MS = 100;

/** A server that has no open import. Says when it was asked, and for which account. */
function emptyServer() {
  const asked: { account: string; at: number }[] = [];
  const list = (filter?: number | RunFilter) => {
    const account = typeof filter === 'object' ? String(filter.account) : '';
    asked.push({ account, at: performance.now() });
    return Promise.resolve([]);
  };
  const gcore = {
    list,
    hintVideos: () => Promise.resolve(),
    endingWithin: <T>(_: number, work: () => Promise<T>) => work(),
  };
  return { asked, gcore };
}

function hintsOf(
  { gcore }: Pick<ReturnType<typeof emptyServer>, 'gcore'>,
  listEveryMs = LIST_EVERY_MS,
) {
  const closing = new AbortController().signal;
  return createAccountHints({ gcore, closing, gatherMs: 1, listEveryMs });
}

describe('hooks of many accounts', () => {
  it('cost the Temporal server one list at a time, whatever names they have', async () => {
    const server = emptyServer();
    const hints = hintsOf(server);

    for (let at = 0; at < 5; at++) hints.add(`account-${at}`, 7);
    await until('all were asked about', () => server.asked.length === 5);

    // One that a busy machine holds up is nearer to the next one, but all of them take their time.
    const [first = 0, ...later] = server.asked.map(({ at }) => at);
    expect(Math.max(...later) - first).toBeGreaterThan(4 * LIST_EVERY_MS * 0.8);
  });

  it('leave no account deaf', async () => {
    const server = emptyServer();
    const hints = hintsOf(server, 5);
    for (let at = 0; at < 300; at++) hints.add(`invented-${at}`, 7);

    hints.add('real', 8);

    await until('the real one was asked about', () =>
      server.asked.some(({ account }) => account === 'real'),
    );
  });
});

const NOW = Date.parse('2026-11-23T12:00:00Z');
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const old = { workflowId: 'old', startedAt: new Date(NOW - HOUR) };
const young = { workflowId: 'young', startedAt: new Date(NOW - MINUTE) };
const NONE = new Set<number>();

describe('the hints for open imports', () => {
  it('go to every import, because nobody knows whose a video is', () => {
    const { hints, nextInMs } = createDueHints().next([old, young], new Set([1, 2]), NOW);

    expect(hints).toEqual([
      { workflowId: 'old', videoIds: [1, 2] },
      { workflowId: 'young', videoIds: [1, 2] },
    ]);
    expect(nextInMs).toBeUndefined();
  });

  it('wait until their import may be told again, the longer the older it is', () => {
    const due = createDueHints();
    due.next([old, young], new Set([1]), NOW);

    const early = due.next([old, young], new Set([2]), NOW + 1_000);
    const later = due.next([old, young], new Set([3]), NOW + 5_000);
    const last = due.next([old, young], NONE, NOW + 75_000);

    expect(early).toEqual({ hints: [], nextInMs: 4_000 });
    expect(later.hints).toEqual([{ workflowId: 'young', videoIds: [2, 3] }]);
    expect(later.nextInMs).toBeGreaterThan(60_000);
    expect(last.hints).toEqual([{ workflowId: 'old', videoIds: [2, 3] }]);
  });

  it('go in parts when there are many, and the rest has a bound', () => {
    const many = new Set(Array.from({ length: 50_000 }, (_, index) => index));
    const due = createDueHints();
    let [sent, at] = [0, NOW];
    for (let next = due.next([young], many, at); ; next = due.next([young], NONE, at)) {
      for (const { videoIds } of next.hints) {
        expect(videoIds.length).toBeLessThanOrEqual(1_000);
        sent += videoIds.length;
      }
      if (next.nextInMs === undefined) break;
      at += next.nextInMs;
    }

    expect(sent).toBe(10_000);
  });

  it('are in memory once, however many imports may be told only later', () => {
    const many = new Set(Array.from({ length: 10_000 }, (_, at) => 2 ** 40 + at));
    const imports = Array.from({ length: 200 }, (_, at) => ({ ...old, workflowId: `old-${at}` }));
    const due = createDueHints();
    due.next(imports, new Set([1]), NOW);
    collectGarbage();
    const before = process.memoryUsage().heapUsed;

    due.next(imports, many, NOW + 1);

    collectGarbage();
    expect(process.memoryUsage().heapUsed - before).toBeLessThan(4 * 1_024 ** 2);
    expect(due.next(imports, NONE, NOW + HOUR).hints).toHaveLength(200);
  });

  it('reach a young import while an old one waits for as many as there may be', () => {
    const due = createDueHints();
    due.next([old, young], new Set([1]), NOW);
    const many = new Set(Array.from({ length: 10_000 }, (_, at) => 10 + at));
    due.next([old, young], many, NOW + 1);
    for (let at = 1; at <= 10; at += 1) due.next([old, young], NONE, NOW + at * 5_001);

    const { hints } = due.next([old, young], new Set([7]), NOW + MINUTE);

    expect(hints).toEqual([{ workflowId: 'young', videoIds: [7] }]);
  });

  it('that come while others wait are told after them, and each that comes again is told again', () => {
    const due = createDueHints();
    const told = (fresh: number[], minutes: number) =>
      due
        .next([young], new Set(fresh), NOW + minutes * MINUTE)
        .hints.map(({ videoIds }) => videoIds);

    expect(told([1, 2], 0)).toEqual([[1, 2]]);
    expect(told([2], 1)).toEqual([[2]]);
    expect(told([], 2)).toEqual([]);
  });

  it('forget an import that is no longer open', () => {
    const due = createDueHints();
    due.next([young], new Set([1]), NOW);
    due.next([young], new Set([2]), NOW);
    due.next([], NONE, NOW);

    expect(due.next([young], NONE, NOW + HOUR).hints).toEqual([]);
  });

  it('are fewer than 700 for an import in 90 days, however many hooks come', () => {
    let signals = 0;
    for (let age = 0; age < 90 * 24 * HOUR; age += leastPauseMs(age)) signals += 1;

    expect(signals).toBeLessThan(700);
  });
});
