import { describe, expect, it } from '@jest/globals';

import type { Runnable } from '../../src/worker/runnable.js';
import { runWorkers } from '../../src/worker/run-workers.js';
import { createSupervisedWorkers } from '../../src/worker/supervised-workers.js';
import { until } from '../support/timing/until.js';

/** A worker that runs until it is shut down or fails. */
function createFake() {
  let state: ReturnType<Runnable['getState']> = 'INITIALIZED';
  let end: (error?: Error) => void = () => undefined;
  const worker: Runnable = {
    getState: () => state,
    shutdown: () => {
      // As the SDK has it.
      if (state !== 'RUNNING') throw new Error('Not running');
      end();
    },
    run: () =>
      new Promise((resolve, reject) => {
        state = 'RUNNING';
        end = (error) => {
          state = error === undefined ? 'STOPPED' : 'FAILED';
          if (error === undefined) resolve();
          else reject(error);
        };
      }),
  };
  return {
    worker,
    fail: () => {
      end(new Error('poll failed'));
    },
  };
}

/** The workers of one account; each creation makes two new ones. */
function createAccount(options: { others?: boolean; failsToCreate?: number } = {}) {
  const made: ReturnType<typeof createFake>[][] = [];
  const said: string[] = [];
  let failures = options.failsToCreate ?? 0;
  const account = createSupervisedWorkers({
    create: () => {
      if (failures > 0) {
        failures -= 1;
        return Promise.reject(new Error('cannot be created'));
      }
      const set = [createFake(), createFake()];
      made.push(set);
      return Promise.resolve(set.map(({ worker }) => worker));
    },
    areOthersServed: () => options.others ?? true,
    onFailed: (error) => said.push(`failed: ${String(error)}`),
    onRecovered: () => said.push('recovered'),
    firstWaitMs: 20,
  });
  const isServed = (sets: number) => () =>
    made.length === sets && made.at(-1)?.every(({ worker }) => worker.getState() === 'RUNNING');
  return { account, made, said, isServed: (sets: number) => () => isServed(sets)() === true };
}

describe('the workers of an account', () => {
  it('start again when one of them fails, and do not look alive meanwhile', async () => {
    const blue = createAccount();
    const green = createFake();
    const stop = new AbortController();
    const ended = runWorkers([green.worker, blue.account], stop.signal);
    await until('the account is served', blue.isServed(1));

    blue.made[0]?.[0]?.fail();
    await until('it is noticed', () => blue.account.getState() === 'FAILED');
    const sibling = blue.made[0]?.[1]?.worker.getState();
    const other = green.worker.getState();
    await until('it is served again', blue.isServed(2));

    expect([sibling, other, blue.account.getState()]).toEqual(['STOPPED', 'RUNNING', 'RUNNING']);
    expect(blue.said).toEqual(['failed: Error: poll failed', 'recovered']);
    stop.abort();
    await ended;
    expect(blue.account.getState()).toBe('STOPPED');
  });

  it('end the process when no other account is served', async () => {
    const blue = createAccount({ others: false });
    const workflows = createFake();
    const ended = runWorkers([workflows.worker, blue.account]);
    await until('the account is served', blue.isServed(1));

    blue.made[0]?.[1]?.fail();

    await expect(ended).rejects.toThrow('poll failed');
    expect([workflows.worker.getState(), blue.account.getState()]).toEqual(['STOPPED', 'FAILED']);
  });

  it('end with the others while they wait for their next try', async () => {
    const blue = createAccount({ failsToCreate: Infinity });
    const workflows = createFake();
    const ended = runWorkers([workflows.worker, blue.account]);
    await until('it is noticed', () => blue.account.getState() === 'FAILED');

    workflows.worker.shutdown();

    await ended;
    expect(blue.account.getState()).toBe('STOPPED');
  });

  it('are created again after a failed creation', async () => {
    const blue = createAccount({ failsToCreate: 1 });
    const stop = new AbortController();
    const ended = runWorkers([blue.account], stop.signal);

    await until('the account is served', blue.isServed(1));

    expect(blue.said).toEqual(['failed: Error: cannot be created', 'recovered']);
    stop.abort();
    await ended;
  });
});
