import { describe, expect, it } from '@jest/globals';
import { ServiceError } from '@temporalio/client';

import { createLineProgress, type Progress } from '../../../src/cli/watch/progress.js';
import { plain } from '../../../src/cli/output/terminal-text.js';
import { watchRun, type WatchDeps } from '../../../src/cli/watch/watch-run.js';
import { RunCancelledError, RunFailedError } from '../../../src/client/index.js';
import type { ProvisionInstanceResult } from '../../../src/contract/index.js';
import { INSTANCE, START, succeeded, waiting } from '../../support/cli/status-documents.js';
import { createVirtualClock } from './virtual-clock.js';

const workflowId = 'provision-instance/blue/order-4711';
const never = new AbortController().signal;
const result: ProvisionInstanceResult = {
  instanceId: INSTANCE,
  name: 'web-1',
  status: 'ACTIVE',
  addresses: [],
  taskIds: [],
  adopted: false,
  ledger: [],
};

/** A run on a virtual clock: it waits for a minute, then succeeds. */
function createWatching(changes: Partial<WatchDeps['gcore']> = {}) {
  const clock = createVirtualClock(START);
  const end = START + 60_000;
  const lines: string[] = [];
  const stream = { write: (text: string) => lines.push(text.trimEnd()) };
  const progress: Progress = createLineProgress({
    stream: { ...stream, isTty: false, hasColors: false },
    clock,
    paint: plain,
  });
  const deps: WatchDeps = {
    gcore: {
      status: () => Promise.resolve(clock.now() < end ? waiting : succeeded),
      async result() {
        await clock.delay(end - clock.now(), never);
        return result;
      },
      planOf: () => Promise.reject(new Error('This is no plan.')),
      operationOf: () => Promise.resolve('provisionInstance'),
      pollers: () => Promise.resolve([{ taskQueue: 'gcore-workflows', pollers: 1 }]),
      ...changes,
    },
    clock,
    progress,
    interrupted: never,
    hint: (...words) => `gcore-workflows ${words.join(' ')}`,
  };
  return { deps, clock, lines };
}

/** How the server treats a query that no worker answers. */
function unanswered(): Promise<never> {
  return new Promise(() => undefined);
}

describe('watchRun', () => {
  it('returns the result, and shows each change and the final steps once', async () => {
    const { deps, lines } = createWatching();

    const watched = await watchRun({ workflowId }, deps);

    expect(watched).toEqual({ isPlan: false, operation: 'provisionInstance', result });
    expect(lines.map((line) => line.replace(/,.*/, ''))).toEqual([
      '[0 s] create instance: waiting',
      '[0 s] waiting: task 3f2a91c0… RUNNING',
      '[53 s] create instance: verified',
      '[53 s] verify instance: verified',
    ]);
  });

  it('ends after the timeout, and names the command to watch again', async () => {
    const { deps, clock } = createWatching();

    const watched = watchRun({ workflowId, timeoutMs: 5_000 }, deps);

    await expect(watched).rejects.toMatchObject({
      problem: {
        exitCode: 124,
        message: 'The run has not ended within 5 s. It continues.',
        advice: `watch it again: gcore-workflows watch ${workflowId}`,
      },
    });
    expect(clock.now()).toBe(START + 5_000);
  });

  it('detaches when interrupted, and names the commands to watch and to cancel', async () => {
    const interrupt = new AbortController();
    const { deps } = createWatching();
    const answers = [waiting, waiting];
    const status = () => {
      const answer = answers.pop();
      if (answer === undefined) interrupt.abort();
      return Promise.resolve(answer ?? waiting);
    };
    const gcore = { ...deps.gcore, status };

    const watched = watchRun({ workflowId }, { ...deps, gcore, interrupted: interrupt.signal });

    await expect(watched).rejects.toMatchObject({
      problem: { exitCode: 130, message: 'No longer watching. The run continues.' },
    });
    await expect(watched).rejects.toHaveProperty(
      'problem.advice',
      expect.stringMatching(/gcore-workflows watch .*gcore-workflows cancel /),
    );
  });

  it('reports within five seconds that no worker polls, and keeps waiting', async () => {
    const { deps, lines } = createWatching({ status: unanswered });
    const remarkedAt: number[] = [];
    const { progress, clock } = deps;
    const show: Progress['show'] = (view) => {
      progress.show(view);
      if (view.remarks.length > 0) remarkedAt.push(clock.now());
    };
    const asked: (string | undefined)[] = [];
    const gcore: WatchDeps['gcore'] = {
      ...deps.gcore,
      pollers(account) {
        asked.push(account);
        return Promise.resolve([
          { taskQueue: 'gcore-workflows', pollers: 0 },
          { taskQueue: 'gcore-api-blue', pollers: 0 },
        ]);
      },
    };

    const watched = await watchRun(
      { workflowId },
      { ...deps, gcore, progress: { ...progress, show } },
    );

    expect(lines).toEqual([
      'No worker polls the task queue "gcore-workflows" and "gcore-api-blue": the run waits. Start one with GCORE_ACCOUNT=blue: gcore-workflows worker',
    ]);
    expect(remarkedAt[0]).toBeLessThanOrEqual(START + 5_000);
    expect(new Set(asked)).toEqual(new Set(['blue']));
    expect(watched).toEqual({ isPlan: false, operation: 'provisionInstance', result });
  });

  it('reports that no worker serves the account, when workers run only the workflows', async () => {
    const { deps, lines } = createWatching({
      pollers: () =>
        Promise.resolve([
          { taskQueue: 'gcore-workflows', pollers: 1 },
          { taskQueue: 'gcore-api-blue', pollers: 0 },
          { taskQueue: 'gcore-urgent-blue', pollers: 0 },
        ]),
    });

    await watchRun({ workflowId }, deps);

    expect(lines.join('\n')).toContain(
      'No worker serves the account "blue": the run waits. To continue, start a worker with GCORE_ACCOUNT=blue',
    );
  });

  it('does not report a worker that is just starting', async () => {
    const answers = [0, 1];
    const { deps, lines } = createWatching({
      pollers: () => Promise.resolve([{ taskQueue: 'q', pollers: answers.shift() ?? 1 }]),
    });

    await watchRun({ workflowId }, deps);

    expect(lines.join()).not.toContain('No worker');
  });

  it('sends one query at a time, and reports when none is answered', async () => {
    let asked = 0;
    const { deps, lines } = createWatching({
      status: () => {
        asked += 1;
        return unanswered();
      },
    });

    await watchRun({ workflowId }, deps);

    expect(lines).toEqual([expect.stringContaining('no worker has answered the status query')]);
    expect(asked).toBe(1);
  });

  it('reports that the Temporal server is away', async () => {
    const { deps, lines } = createWatching({
      status: () => unanswered(),
      result: async (_operation, _workflowId, { onServerAway } = {}) => {
        onServerAway?.();
        await deps.clock.delay(3_000, new AbortController().signal);
        return result;
      },
    });

    await watchRun({ workflowId }, deps);

    expect(lines).toContain('The Temporal server does not answer; trying again.');
  });

  it('waits for a Temporal server that is away, and reports it', async () => {
    const cause = Object.assign(new Error('down'), { code: 14, details: '', metadata: {} });
    const away = new ServiceError('Unexpected error', { cause });
    const answers = [Promise.reject(away), Promise.reject(away), Promise.resolve(result)];
    const { deps, lines } = createWatching({
      status: () => Promise.reject(away),
      result: () => answers.shift() ?? unanswered(),
    });

    const watched = await watchRun({ workflowId }, deps);

    expect(watched).toEqual({ isPlan: false, operation: 'provisionInstance', result });
    expect(lines).toContain('The Temporal server does not answer; trying again.');
  });

  it('passes the failure of the run on', async () => {
    const failure = new RunFailedError(workflowId, { type: 'x', message: 'x', details: {} });
    const { deps } = createWatching({ result: () => Promise.reject(failure) });

    await expect(watchRun({ workflowId }, deps)).rejects.toBe(failure);
  });

  it('names the resources that a cancelled run left', async () => {
    const { deps } = createWatching({
      status: () => Promise.resolve({ ...succeeded, phase: 'cancelled' }),
      result: () => Promise.reject(new RunCancelledError(workflowId)),
    });

    await expect(watchRun({ workflowId }, deps)).rejects.toMatchObject({
      problem: {
        exitCode: 2,
        details: { resources: [{ kind: 'instance', id: INSTANCE }] },
      },
    });
  });
});
