import { performance } from 'node:perf_hooks';

import { describe, expect, it } from '@jest/globals';
import { CancelledFailure } from '@temporalio/common';
import type { MockActivityEnvironment } from '@temporalio/testing';

import { createRequestBudget } from '../../../src/engine/http/request-budget.js';
import { Standing, type Turns } from '../../../src/engine/http/send-in-turn.js';
import { createApiClient } from '../../../src/activities/index.js';
import { taskIdsSchema } from '../../../src/contract/api/cloud.js';
import {
  createActivityEnvironment,
  failureIn,
  inActivity,
  thrownBy,
} from '../../support/http/in-activity.js';
import { json } from '../../support/http/scripted-api.js';
import { until } from '../../support/timing/until.js';

const MINUTES_MS = 300_000;

/** An API that answers the first calls with these statuses, then with 200. */
function createApi(statuses: number[], turns: Turns & { perSecond: number }) {
  const sent: { method: string; atMs: number }[] = [];
  const { perSecond, ...rest } = turns;
  const budget = createRequestBudget({ perSecond, burst: 1 });
  const api = createApiClient({
    baseUrl: 'https://api.example.test',
    apiKey: 'canary-key$4711',
    timeoutMs: 1_000,
    budget,
    ...rest,
    fetch: (input, init) => {
      sent.push({ method: new Request(input, init).method, atMs: performance.now() });
      const status = statuses.shift() ?? 200;
      return Promise.resolve(json(status === 200 ? { tasks: ['t-1'] } : {}, status));
    },
  });
  const call = (method: 'GET' | 'POST' | 'DELETE') =>
    api.request({ method, path: '/x', response: taskIdsSchema, repeatable: method !== 'POST' });
  return { sent, budget, call };
}

const patient = (startToCloseTimeoutMs = MINUTES_MS): MockActivityEnvironment =>
  createActivityEnvironment({ startToCloseTimeoutMs });

const proven = () => Promise.resolve(Standing.current);

describe('a call that is answered with 429', () => {
  it('sends a read again in the same activity', async () => {
    const { sent, call } = createApi([429, 429, 200], { perSecond: 50 });

    const answer = await inActivity(() => call('GET'), patient());

    expect(answer).toEqual({ tasks: ['t-1'] });
    expect(sent).toHaveLength(3);
  });

  it('leaves a change to its run, which looks first whether somebody else has made the same', async () => {
    const { sent, call } = createApi([429], { perSecond: 50, proveCurrent: proven });

    const failure = await failureIn(() => call('POST'), patient());

    expect(failure).toMatchObject({ type: 'RateLimited' });
    expect(sent).toHaveLength(1);
  });

  it('fails as rate-limited when its attempt has no more time', async () => {
    const { sent, call } = createApi([429, 429, 429], { perSecond: 1 });

    const failure = await failureIn(() => call('GET'), patient(4_000));

    expect(failure).toMatchObject({ type: 'RateLimited', nonRetryable: false });
    expect(sent.length).toBeLessThan(3);
  });
});

describe('a change that waits for its turn', () => {
  /** The first call takes the only permit of the next seconds. */
  async function createBusy(turns: Turns, seconds: number) {
    const busy = createApi([], { perSecond: 1 / seconds, ...turns });
    await inActivity(() => busy.call('GET'), patient());
    return busy;
  }

  it('goes out after the server has confirmed that it waits for this attempt', async () => {
    let asked = 0;
    const proveCurrent = (): Promise<Standing> => {
      asked += 1;
      return proven();
    };
    const { sent, call } = await createBusy({ proveCurrent }, 4);

    await inActivity(() => call('POST'), patient());

    expect(asked).toBe(1);
    expect(sent.map(({ method }) => method)).toEqual(['GET', 'POST']);
  });

  it('needs no confirmation when it goes out at once', async () => {
    const proveCurrent = () => Promise.reject(new Error('must not be asked'));
    const { sent, call } = createApi([], { perSecond: 10, proveCurrent });

    await inActivity(() => call('POST'), patient());

    expect(sent).toHaveLength(1);
  });

  it('is not sent when the server no longer waits for it, and leaves its permit to others', async () => {
    const { sent, call } = await createBusy(
      { proveCurrent: () => Promise.resolve(Standing.unproven) },
      4,
    );
    const begun = performance.now();

    const failure = await failureIn(() => call('POST'), patient());
    await inActivity(() => call('GET'), patient());

    expect(failure).toMatchObject({ type: 'ServiceUnavailable', nonRetryable: false });
    expect(failure.message).toContain('was not sent: it came too late');
    expect(sent.map(({ method }) => method)).toEqual(['GET', 'GET']);
    // The permit of the call that was not sent, not the next one.
    expect(performance.now() - begun).toBeLessThan(7_000);
  });

  it('waits three seconds at most where nobody can be asked', async () => {
    const { sent, call } = await createBusy({}, 60);
    const begun = performance.now();

    const failure = await failureIn(() => call('POST'), patient());

    expect(failure.type).toBe('RateLimited');
    expect(performance.now() - begun).toBeLessThan(20_000);
    expect(sent).toHaveLength(1);
  });

  it('goes before the reads that wait', async () => {
    const { sent, call } = await createBusy({ proveCurrent: proven }, 0.5);

    await Promise.all([
      ...Array.from({ length: 5 }, () => inActivity(() => call('GET'), patient())),
      inActivity(() => call('POST'), patient()),
    ]);

    expect(sent.slice(0, 2).map(({ method }) => method)).toEqual(['GET', 'POST']);
  });

  it('is not sent when the server says that its run is to end', async () => {
    const proveCurrent = () => Promise.resolve(Standing.cancelled);
    const { sent, call } = await createBusy({ proveCurrent }, 4);

    const failure = await failureIn(() => call('POST'), patient());

    expect(failure.type).toBe('ServiceUnavailable');
    expect(failure.message).toContain('was not sent: its run has taken it back');
    expect(sent).toHaveLength(1);
  });

  it('is not sent when its run asks for its end, and leaves its place at once', async () => {
    const { sent, call, budget } = await createBusy({ proveCurrent: proven }, 60);
    const environment = patient();
    const waiting = failureIn(() => call('POST'), environment);
    await until('it waits', () => budget.pressure().waiting === 1);

    environment.cancel('CANCELLED');

    expect(await waiting).toMatchObject({ type: 'ServiceUnavailable' });
    expect((await waiting).message).toContain('was not sent: its run has taken it back');
    expect(budget.pressure().waiting).toBe(0);
    expect(sent).toHaveLength(1);
  });

  it('is not sent either when it is a delete: the run may have been paused', async () => {
    const { sent, call, budget } = await createBusy({ proveCurrent: proven }, 60);
    const environment = patient();
    const waiting = failureIn(() => call('DELETE'), environment);
    await until('it waits', () => budget.pressure().waiting === 1);

    environment.cancel('CANCELLED');

    expect((await waiting).message).toContain('was not sent: its run has taken it back');
    expect(sent).toHaveLength(1);
  });

  it('counts as not sent when its worker stops meanwhile', async () => {
    const { sent, call } = await createBusy({ proveCurrent: proven }, 60);
    const environment = patient();
    const waiting = failureIn(() => call('POST'), environment);

    environment.cancel('WORKER_SHUTDOWN');

    expect(await waiting).toMatchObject({ type: 'ServiceUnavailable' });
    expect((await waiting).message).toContain('was not sent: its worker stops');
    expect(sent).toHaveLength(1);
  });
});

describe('a call that waits for its turn', () => {
  it('says so with its heartbeats, and until when no longer', async () => {
    const { call } = createApi([429], { perSecond: 0.4 });
    const environment = patient();
    const said: unknown[] = [];
    environment.on('heartbeat', (details) => said.push(details));

    await inActivity(() => call('GET'), environment);

    expect(said[0]).toEqual({
      waitingFor: 'rate',
      perSecond: 0.2,
      since: expect.stringMatching(/^\d{4}-.*Z$/),
      calls: 1,
    });
    expect(said.at(-1)).toBeUndefined();
  });

  it('keeps what an earlier attempt has reached in its heartbeats', async () => {
    const { call } = createApi([429], { perSecond: 0.4 });
    const environment = createActivityEnvironment({
      startToCloseTimeoutMs: MINUTES_MS,
      heartbeatDetails: { progress: { page: 3 } },
    });
    const said: unknown[] = [];
    environment.on('heartbeat', (details) => said.push(details));

    await inActivity(() => call('GET'), environment);

    expect(said[0]).toMatchObject({ waitingFor: 'rate', progress: { page: 3 } });
    expect(said.at(-1)).toEqual({ progress: { page: 3 } });
  });

  it('ends at once when it is cancelled', async () => {
    const { sent, call, budget } = createApi([429], { perSecond: 0.1 });
    const environment = patient();
    const ended = thrownBy(() => inActivity(() => call('GET'), environment));
    await until('it waits', () => budget.pressure().waiting === 1);
    const begun = performance.now();

    environment.cancel();

    expect(await ended).toBeInstanceOf(CancelledFailure);
    expect(performance.now() - begun).toBeLessThan(5_000);
    expect(budget.pressure().waiting).toBe(0);
    expect(sent).toHaveLength(1);
  });
});
