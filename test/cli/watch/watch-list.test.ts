import { describe, expect, it } from '@jest/globals';
import { ServiceError } from '@temporalio/client';

import { createChanges, watchList } from '../../../src/cli/watch/watch-list.js';
import type { RunSummary } from '../../../src/client/index.js';
import { createVirtualClock } from './virtual-clock.js';

function run(workflowId: string, phase: RunSummary['phase'] = 'running'): RunSummary {
  return {
    workflowId,
    runId: `${workflowId}-1`,
    phase,
    operation: 'protectIp',
    state: 'RUNNING',
    account: 'default',
    startedAt: new Date(0),
    closedAt: undefined,
  };
}

/** As gRPC says that nobody answers. */
function away(): Error {
  const details = { code: 14, details: 'away', metadata: {} };
  return new ServiceError('away', { cause: Object.assign(new Error('14 UNAVAILABLE'), details) });
}

describe('a list that is watched', () => {
  it('is shown again and again, and says once that the server is away', async () => {
    const interrupt = new AbortController();
    const answers = [[run('a')], away(), away(), [run('a', 'failed')]];
    const shown: string[] = [];
    let loads = 0;

    await watchList({
      load: () => {
        const answer = answers[loads];
        loads += 1;
        if (loads === answers.length) interrupt.abort();
        return answer instanceof Error ? Promise.reject(answer) : Promise.resolve(answer ?? []);
      },
      show: (runs) => shown.push(runs.map(({ phase }) => phase).join(' ')),
      onAway: () => shown.push('away'),
      clock: createVirtualClock(0),
      stopped: interrupt.signal,
    });

    expect(shown).toEqual(['running', 'away', 'failed']);
  });

  it('ends with any other error', async () => {
    const watching = watchList({
      load: () => Promise.reject(new Error('refused')),
      show: () => undefined,
      onAway: () => undefined,
      clock: createVirtualClock(0),
      stopped: new AbortController().signal,
    });

    await expect(watching).rejects.toThrow('refused');
  });
});

describe('the changes of a list', () => {
  it('are new runs and new phases, the oldest first', () => {
    const changesOf = createChanges();
    const idsOf = (...runs: RunSummary[]) => changesOf(runs).map(({ workflowId }) => workflowId);

    expect(idsOf(run('b'), run('a'))).toEqual(['a', 'b']);
    expect(idsOf(run('b'), run('a'))).toEqual([]);
    expect(idsOf(run('c'), run('b'), run('a', 'blocked'))).toEqual(['a', 'c']);
  });

  it('are told once of each run of a request that was started again', () => {
    const changesOf = createChanges();
    const again = { ...run('a'), runId: 'a-2', startedAt: new Date(1) };
    const runs = [again, run('a', 'failed')];

    expect(changesOf(runs).map(({ runId }) => runId)).toEqual(['a-1', 'a-2']);
    expect(changesOf(runs)).toEqual([]);
  });
});
