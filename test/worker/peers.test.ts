import { describe, expect, it } from '@jest/globals';

import { aliveAmong, createPeers, type Poller } from '../../src/worker/peers.js';
import { until } from '../support/timing/until.js';

/** Pollers by the seconds since their last poll; each entry is one process. */
function pollersOf(ages: Record<string, readonly number[]>): Poller[] {
  return Object.entries(ages).flatMap(([identity, polls]) =>
    polls.map((age) => ({ identity, lastAccessTime: { seconds: 10_000 - age } })),
  );
}

/** The peers of process `a`. Counts the questions. */
function peersOf(answer: () => Promise<Poller[]>, identity = 'a') {
  let asked = 0;
  const peers = createPeers(() => {
    asked += 1;
    return answer();
  }, identity);
  return { peers, asked: () => asked };
}

describe('the processes that serve an account', () => {
  it.each([
    ['one process with several polls is one', { a: [0, 1, 30] }, 1],
    ['each process counts once', { a: [0, 10], b: [20], c: [59] }, 3],
    ['one that died does not count, although the server lists it', { a: [0], b: [76, 299] }, 1],
    ['one that starts beside a dead one takes its place', { a: [0], b: [1], old: [90] }, 2],
    ['nobody that has just polled is forgotten when all are idle', { a: [60], b: [61] }, 2],
    ['no poller is none', {}, 0],
  ])('%s', (_title, ages, count) => {
    expect(aliveAmong(pollersOf(ages))).toHaveLength(count);
  });

  it('share what they may do, and ask once for many calls', async () => {
    const { asked, peers } = peersOf(() =>
      Promise.resolve(pollersOf({ a: [0], b: [0], c: [0], d: [0] })),
    );

    await until('the server has answered', () => peers.count() === 4);

    expect(peers.share()).toBe(0.25);
    for (let calls = 0; calls < 100; calls++) peers.share();
    expect(asked()).toBe(1);
  });

  it('are one while the server does not answer, and no call waits or fails', async () => {
    const { asked, peers } = peersOf(() => Promise.reject(new Error('14 UNAVAILABLE')));

    expect(peers.share()).toBe(1);
    await until('it has asked', () => asked() === 1);

    expect(peers.count()).toBe(1);
    expect(asked()).toBe(1);
  });

  it('are never so many that a call could wait forever', async () => {
    const many = Object.fromEntries(Array.from({ length: 50 }, (_, index) => [`w${index}`, [0]]));
    const { peers } = peersOf(() => Promise.resolve(pollersOf(many)), 'w0');

    await until('the server has answered', () => peers.count() === 50);

    expect(peers.share()).toBe(0.05);
  });

  it('count a process that starts before the server lists it, and ask soon whether it does', async () => {
    const { asked, peers } = peersOf(() => Promise.resolve(pollersOf({ b: [0] })));

    await until('the server has answered', () => peers.count() === 2);
    expect(peers.isListed()).toBe(false);

    await until('it has asked again', () => (peers.count(), asked() > 3));
  });
});

describe('the rank of a process', () => {
  const early = '1@host/0mf000000-aaaaaaaa';
  const late = '2@host/0mf000001-00000000';
  const later = '3@host/0mf000001-bbbbbbbb';

  async function rankOf(identity: string, ages: Record<string, readonly number[]>) {
    const { peers } = peersOf(() => Promise.resolve(pollersOf(ages)), identity);
    await until('the server has answered', () => peers.rank() !== undefined);
    return { rank: peers.rank(), candidates: peers.candidates(), isListed: peers.isListed() };
  }

  it.each([
    ['none for the first', { of: early, alive: { [early]: [0], [late]: [0], [later]: [0] } }, 0, 3],
    ['one for the second', { of: late, alive: { [late]: [0], [early]: [0] } }, 1, 2],
    ['one of an equal start by the random part', { of: later, alive: { [late]: [0] } }, 1, 2],
    ['no dead one', { of: later, alive: { [late]: [0], [early]: [80] } }, 1, 2],
    ['none that cannot watch', { of: late, alive: { '1@host/aaaaaaaa': [0] } }, 0, 1],
  ] as const)('counts those before it: %s', async (...[, { of, alive }, rank, candidates]) => {
    const found = await rankOf(of, { ...alive, [of]: [0] });

    expect(found).toEqual({ rank, candidates, isListed: true });
  });

  it('is known before the server lists the process', async () => {
    const found = await rankOf(late, { [early]: [0] });

    expect(found).toEqual({ rank: 1, candidates: 2, isListed: false });
  });

  it('is unknown while the server does not answer', async () => {
    const { asked, peers } = peersOf(() => Promise.reject(new Error('14 UNAVAILABLE')));

    expect(peers.rank()).toBeUndefined();
    await until('it has asked', () => asked() === 1);

    expect(peers.rank()).toBeUndefined();
    expect(peers.candidates()).toBe(1);
  });
});
