import { describe, expect, it } from '@jest/globals';

import { Operation } from '../../../src/contract/index.js';
import { countRuns, countRunsForEver } from '../../../src/worker/metrics/count-runs.js';
import { until } from '../../support/timing/until.js';

const OPERATIONS = Object.values(Operation);
const HELD = ['paused', 'blocked', 'rolling-back'];

type Open = { type: string; phase?: string }[];

/** Visibility, as far as these queries go. */
function countIn(open: Open, asked: string[] = []) {
  return (query: string): Promise<number> => {
    asked.push(query);
    const type = /WorkflowType = '(\w+)'/.exec(query)?.[1];
    const phase = /GcorePhase = '([\w-]+)'/.exec(query)?.[1];
    const found = open.filter(
      (run) =>
        (type === undefined || run.type === type) && (phase === undefined || run.phase === phase),
    );
    return Promise.resolve(found.length);
  };
}

describe('countRuns', () => {
  it('counts open runs by operation and phase', async () => {
    const open = [
      { type: 'protectIp' },
      { type: 'protectIp', phase: 'running' },
      { type: 'protectIp', phase: 'blocked' },
      { type: 'importVideos', phase: 'paused' },
      { type: 'somethingElse', phase: 'paused' },
    ];

    const counts = await countRuns(countIn(open));

    expect(counts).toHaveLength(OPERATIONS.length * 4);
    expect(counts.filter(({ runs }) => runs > 0)).toEqual([
      { operation: 'protectIp', phase: 'blocked', runs: 1 },
      { operation: 'protectIp', phase: 'running', runs: 2 },
      { operation: 'importVideos', phase: 'paused', runs: 1 },
    ]);
  });

  it('asks once for each operation and phase when no run is held, and then for those that are', async () => {
    const healthy: string[] = [];
    const worst: string[] = [];
    const held = OPERATIONS.flatMap((type) => HELD.map((phase) => ({ type, phase })));

    await countRuns(countIn([{ type: 'protectIp' }], healthy));
    await countRuns(countIn([...held, ...held], worst));

    expect([healthy.length, worst.length]).toEqual([
      OPERATIONS.length + HELD.length,
      OPERATIONS.length + HELD.length + OPERATIONS.length * HELD.length,
    ]);
  });

  it('goes on after a question without an answer, until it is stopped', async () => {
    const stop = new AbortController();
    let rounds = 0;
    const counted: number[] = [];
    const counting = countRunsForEver({
      count: () => {
        rounds += 1;
        return rounds === 1 ? Promise.reject(new Error('no visibility')) : Promise.resolve(0);
      },
      processes: () => 0,
      everyMs: 1,
      onCounted: (counts) => counted.push(counts.length),
      signal: stop.signal,
    });

    await until('counted', () => counted.length > 0);
    stop.abort();
    await counting;

    expect(counted[0]).toBe(OPERATIONS.length * 4);
  });
});
