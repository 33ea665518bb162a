import { describe, expect, it } from '@jest/globals';

import { createElectedWorker } from '../../src/worker/elected-worker.js';
import type { Runnable } from '../../src/worker/runnable.js';
import { until } from '../support/timing/until.js';

/** A worker of the SDK: runs until it is shut down, or until it fails. */
function createTerm() {
  let state: ReturnType<Runnable['getState']> = 'INITIALIZED';
  let end = (): void => undefined;
  let fail: (error: Error) => void = () => undefined;
  const ended = new Promise<void>((resolve, reject) => {
    end = resolve;
    fail = reject;
  });
  const worker: Runnable = {
    getState: () => state,
    run: () => {
      state = 'RUNNING';
      return ended;
    },
    shutdown: () => {
      state = 'STOPPED';
      end();
    },
  };
  return {
    worker,
    fail: (error: Error) => {
      state = 'FAILED';
      fail(error);
    },
  };
}

/** A worker of a process that is elected or not, as the test says. */
function createCandidate({ isElected = true, failures = 0 } = {}) {
  const office = { isElected };
  const terms: ReturnType<typeof createTerm>[] = [];
  const troubles: unknown[] = [];
  const worker = createElectedWorker({
    isElected: () => office.isElected,
    create: () => {
      if (troubles.length < failures) return Promise.reject(new Error('no server'));
      const term = createTerm();
      terms.push(term);
      return Promise.resolve(term.worker);
    },
    onTrouble: (error) => troubles.push(error),
  });
  const states = (): string[] => terms.map((term) => term.worker.getState());
  return { office, terms, troubles, worker, states };
}

describe('an elected worker', () => {
  it('runs while its process is elected, and again when it is elected again', async () => {
    const { office, states, worker } = createCandidate({ isElected: false });
    const running = worker.run();
    expect(worker.getState()).toBe('RUNNING');

    office.isElected = true;
    await until('it runs', () => states().join() === 'RUNNING');
    office.isElected = false;
    await until('it has stopped', () => states().join() === 'STOPPED');
    office.isElected = true;
    await until('it runs again', () => states().join() === 'STOPPED,RUNNING');
    worker.shutdown();
    await running;

    expect(states()).toEqual(['STOPPED', 'STOPPED']);
    expect(worker.getState()).toBe('STOPPED');
  });

  it('ends at once when it is shut down while it is not elected', async () => {
    const { terms, worker } = createCandidate({ isElected: false });
    const running = worker.run();

    worker.shutdown();
    await running;

    expect(terms).toEqual([]);
  });

  it('ends with its worker when a signal of the process ends that', async () => {
    const { states, terms, worker } = createCandidate();
    const running = worker.run();
    await until('it runs', () => states().join() === 'RUNNING');

    terms[0]?.worker.shutdown();
    await running;

    expect(terms).toHaveLength(1);
    expect(worker.getState()).toBe('STOPPED');
  });

  it('fails with its worker: half a process would look alive', async () => {
    const { states, terms, worker } = createCandidate();
    const running = worker.run();
    await until('it runs', () => states().join() === 'RUNNING');

    terms[0]?.fail(new Error('lost'));

    await expect(running).rejects.toThrow('lost');
    expect(worker.getState()).toBe('FAILED');
  });

  it('is created again when the server does not answer, and says so', async () => {
    const { states, troubles, worker } = createCandidate({ failures: 1 });
    const running = worker.run();

    await until('it runs', () => states().join() === 'RUNNING');
    worker.shutdown();
    await running;

    expect(troubles).toEqual([new Error('no server')]);
  });
});
