import { describe, expect, it } from '@jest/globals';
import type { NativeConnection } from '@temporalio/worker';

import type { Runnable } from '../../../src/worker/runnable.js';
import { createWorkerHealth } from '../../../src/worker/health/worker-health.js';

type State = ReturnType<Runnable['getState']>;

function workerOf(taskQueue: string, state: { now: State }): Runnable {
  return {
    getState: () => state.now,
    run: () => Promise.resolve(),
    shutdown: () => undefined,
    options: { taskQueue, identity: 'me' },
  };
}

interface Server {
  isAway: boolean;
  asked: number;
  pollers: { identity: string; agoMs: number }[];
  aheadMs: number;
}

/** A Temporal server, as far as health asks it. */
function deps(server: Server) {
  const at = (agoMs: number) => {
    const ms = Date.now() + server.aheadMs - agoMs;
    return { seconds: Math.floor(ms / 1000), nanos: (ms % 1000) * 1e6 };
  };
  const clocks: { identity: string; lastAccessTime: ReturnType<typeof at> }[] = [];
  const workflowService = {
    describeTaskQueue: ({ taskQueue }: { taskQueue: { name: string } }) => {
      if (taskQueue.name === 'gcore-clock') return Promise.resolve({ pollers: clocks });
      server.asked += 1;
      if (server.isAway) return Promise.reject(new Error('14 UNAVAILABLE'));
      const pollers = server.pollers.map(({ identity, agoMs }) => ({
        identity,
        lastAccessTime: at(agoMs),
      }));
      return Promise.resolve({ pollers });
    },
    pollActivityTaskQueue: ({ identity }: { identity: string }) => {
      clocks.push({ identity, lastAccessTime: at(0) });
      return new Promise(() => undefined);
    },
  };
  const connection: unknown = {
    workflowService,
    withDeadline: (_deadline: number, call: () => unknown) => call(),
  };
  const isConnection = (given: unknown): given is NativeConnection => given instanceof Object;
  if (!isConnection(connection)) throw new Error('no connection');
  return { connection, namespace: 'default' };
}

function setUp(change: Partial<Server> = {}) {
  const server: Server = {
    isAway: false,
    asked: 0,
    pollers: [{ identity: 'me', agoMs: 1_000 }],
    aheadMs: 0,
    ...change,
  };
  const first: { now: State } = { now: 'RUNNING' };
  const second: { now: State } = { now: 'RUNNING' };
  const health = createWorkerHealth();
  const workers = [workerOf('gcore-workflows', first), workerOf('gcore-api-blue', second)];
  health.follow(deps(server), workers);
  const failing = async () =>
    (await health.ready()).filter(({ ok }) => !ok).map(({ name }) => name);
  return { server, health, first, second, failing };
}

describe('readiness', () => {
  it('fails before the workers exist', async () => {
    const checks = await createWorkerHealth().ready();

    expect(checks).toEqual([{ name: 'process', ok: false, text: expect.stringMatching('starts') }]);
  });

  it('passes when every worker runs and the server has seen it poll', async () => {
    const { failing, health } = setUp();

    expect(await failing()).toEqual([]);
    expect((await health.ready()).map(({ name }) => name)).toEqual([
      'process',
      'worker of gcore-workflows',
      'worker of gcore-api-blue',
      'Temporal server',
      'pollers of gcore-workflows',
      'pollers of gcore-api-blue',
      'clock',
    ]);
  });

  it('asks the server once for many callers', async () => {
    const { server, health } = setUp();

    await Promise.all(Array.from({ length: 100 }, () => health.ready()));
    await health.ready();

    expect(server.asked).toBe(2);
  });

  it.each([
    ['no process polls', []],
    ['only others poll', [{ identity: 'other', agoMs: 0 }]],
    [
      'this process does not poll any more',
      [
        { identity: 'other', agoMs: 0 },
        { identity: 'me', agoMs: 200_000 },
      ],
    ],
  ])('fails when %s', async (_name, pollers) => {
    const { failing } = setUp({ pollers });

    expect(await failing()).toEqual(['pollers of gcore-workflows', 'pollers of gcore-api-blue']);
  });

  it('fails when the server has never answered, and says why', async () => {
    const { failing, health } = setUp({ isAway: true });

    expect(await failing()).toContain('Temporal server');
    const texts = (await health.ready()).map(({ text }) => text);
    expect(texts.join()).toContain('14 UNAVAILABLE');
  });

  it('fails while the process ends, although it lives', async () => {
    const { health, failing } = setUp();

    health.stopping();

    expect(await failing()).toEqual(['process']);
    expect(health.live().every(({ ok }) => ok)).toBe(true);
  });

  it('fails when the clock of this machine is wrong', async () => {
    const { health, failing } = setUp({ aheadMs: 90_000 });
    await failing();

    for (let looks = 0; looks < 200 && health.skewMs() === undefined; looks++) {
      await new Promise((resolve) => setTimeout(resolve, 10));
    }

    expect(await failing()).toContain('clock');
    expect(Math.round((health.skewMs() ?? 0) / 1000)).toBe(-90);
  });
});

describe('liveness', () => {
  it('needs no worker at the start', () => {
    expect(createWorkerHealth().live()).toEqual([]);
  });

  it.each<[State, State, boolean]>([
    ['RUNNING', 'RUNNING', true],
    ['INITIALIZED', 'RUNNING', true],
    ['DRAINING', 'STOPPED', true],
    ['STOPPED', 'STOPPED', true],
    ['FAILED', 'RUNNING', false],
    ['FAILED', 'DRAINING', false],
    ['STOPPED', 'RUNNING', false],
  ])('with workers that are %s and %s is %s', (one, other, isLive) => {
    const { health, first, second } = setUp();
    first.now = one;
    second.now = other;

    expect(health.live().every(({ ok }) => ok)).toBe(isLive);
  });

  it('names the account whose workers start again, and does not ask for a new process', async () => {
    const state: { now: State } = { now: 'RUNNING' };
    const calls = workerOf('gcore-api-blue', state);
    const account: Runnable = {
      getState: () => state.now,
      run: () => Promise.resolve(),
      shutdown: () => undefined,
      title: 'workers of the account blue',
      parts: () => [calls],
      isRestarting: () => state.now === 'FAILED',
    };
    const health = createWorkerHealth();
    health.follow(
      deps({ isAway: false, asked: 0, pollers: [{ identity: 'me', agoMs: 1 }], aheadMs: 0 }),
      [workerOf('gcore-workflows', { now: 'RUNNING' }), account],
    );
    const failing = async () =>
      (await health.ready()).filter(({ ok }) => !ok).map(({ name }) => name);
    expect(await failing()).toEqual([]);

    state.now = 'FAILED';

    expect(await failing()).toEqual(['workers of the account blue']);
    expect(health.live()).toContainEqual({
      name: 'workers of the account blue',
      ok: true,
      text: 'FAILED: starting again',
    });
  });
});
