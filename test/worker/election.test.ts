import { performance } from 'node:perf_hooks';

import { describe, expect, it } from '@jest/globals';

import { createElection } from '../../src/worker/election.js';
import { until } from '../support/timing/until.js';

const SETTLE_MS = 300;

/** A process that the server knows like this; the test changes it. */
function electionOf(known: {
  rank?: number;
  isListed?: boolean;
  candidates?: number;
  areLeft?: boolean;
}) {
  const election = createElection({
    peers: {
      rank: () => known.rank,
      isListed: () => known.isListed ?? true,
      candidates: () => known.candidates ?? 1,
    },
    areLeft: () => known.areLeft ?? false,
    settleMs: SETTLE_MS,
  });
  return { election, known };
}

describe('the election of the processes that watch', () => {
  it.each([
    [0, true],
    [1, true],
    [2, false],
    [7, false],
  ])('of rank %d: %s', (rank, elected) => {
    expect(electionOf({ rank }).election.isElected()).toBe(elected);
  });

  it.each([
    [1, 1],
    [2, 2],
    [8, 2],
  ])('knows of %d processes that %d watch', (candidates, watchers) => {
    expect(electionOf({ candidates }).election.watchers()).toBe(watchers);
  });

  it('lets one stand in when watches are left, as long as the server may list the dead', async () => {
    const { election, known } = electionOf({ rank: 5, candidates: 8 });
    expect(election.isElected()).toBe(false);

    known.areLeft = true;
    expect(election.isElected()).toBe(true);
    known.areLeft = false;
    await election.settled();

    expect(election.isElected()).toBe(true);
  });

  it('waits for the first answer, but not for long: rather one too many than none', async () => {
    const { election } = electionOf({ isListed: false });
    const startedAt = performance.now();

    expect(election.isElected()).toBe(false);
    await until('it watches without an answer', () => election.isElected());

    expect(performance.now() - startedAt).toBeGreaterThan(4_000);
    await election.settled();
  });

  it('is settled a while after the server knows the process', async () => {
    const { election, known } = electionOf({ rank: 0, isListed: false });
    const seen: string[] = [];
    const settled = election.settled().then(() => seen.push('settled'));
    await until('it is elected', () => election.isElected());
    await new Promise((resolve) => setTimeout(resolve, SETTLE_MS * 2));
    seen.push('listed');
    known.isListed = true;
    const listedAt = performance.now();

    await settled;

    expect(seen).toEqual(['listed', 'settled']);
    expect(performance.now() - listedAt).toBeGreaterThanOrEqual(SETTLE_MS - 60);
  });

  it('is not settled while others watch, and begins anew when it is elected again', async () => {
    const { election, known } = electionOf({ rank: 0 });
    await election.settled();
    known.rank = 2;
    expect(election.isElected()).toBe(false);

    known.rank = 1;
    const againAt = performance.now();
    await election.settled();

    expect(performance.now() - againAt).toBeGreaterThanOrEqual(SETTLE_MS - 1);
  });
});
