import { setTimeout as delay } from 'node:timers/promises';

import { describe, expect, it } from '@jest/globals';

import type { BreakersOptions } from '../../../src/activities/http/circuit-breaker.js';
import {
  createGate,
  createGuardedApi,
  NEVER_MS,
  ok,
  refuse,
  refuseConnection,
  type GuardedApi,
} from '../../support/http/guarded-api.js';
import { failureIn, inActivity } from '../../support/http/in-activity.js';
import { json } from '../../support/http/scripted-api.js';
import { until } from '../../support/timing/until.js';

const OTHER_AREA = '/fastedge/v1/apps';

function tooMany(retryAfter?: string): () => Response {
  const headers = retryAfter === undefined ? {} : { 'retry-after': retryAfter };
  return () => json({ message: 'slow down' }, 429, headers);
}

/** An account that has just received a 429. */
async function createThrottled(options: BreakersOptions, answer = tooMany()) {
  const api = createGuardedApi(options);
  api.answerWith(answer);
  const failure = await failureIn(() => api.read());
  expect(failure.message).toContain('was answered with 429');
  return api;
}

/** Milliseconds between requests while calls arrive without end. */
async function gapsOf(api: GuardedApi, count: number): Promise<number[]> {
  const begun = api.sent.length;
  await until(`${count} probes were sent`, async () => {
    await failureIn(() => api.read());
    return api.sent.length >= begun + count;
  });
  const times = api.sent.slice(begun - 1).map(({ atMs }) => atMs);
  return times.slice(1).map((time, index) => time - (times[index] ?? 0));
}

describe('a 429', () => {
  it('holds back further calls of all areas as retryable, without a request', async () => {
    const api = await createThrottled({ probeMs: NEVER_MS, maxPauseMs: NEVER_MS });
    api.answerWith(ok);

    const failures = [
      await failureIn(() => api.read()),
      await failureIn(() => api.mutate()),
      await failureIn(() => api.read(OTHER_AREA)),
    ];

    expect(api.sent).toHaveLength(1);
    for (const failure of failures) {
      expect(failure).toMatchObject({ type: 'RateLimited', nonRetryable: false });
      expect(failure.nextRetryDelay).toBeGreaterThan(0);
      expect(failure.message).toMatch(
        /was not sent: the API has rate-limited this account since [-\d]+T[:\d]+Z; calls wait\./,
      );
    }
  });

  it.each([400, 401, 403, 404, 409, 503])('holds calls back, but a %d does not', async (status) => {
    const api = createGuardedApi({ probeMs: NEVER_MS, keyProbeMs: 0 });
    api.answerWith(refuse(status));
    await failureIn(() => api.read());
    api.answerWith(ok);

    await inActivity(() => api.read());

    expect(api.sent).toHaveLength(2);
  });

  it('holds calls for the time it names, then lets one probe', async () => {
    const api = await createThrottled({ probeMs: 10 }, tooMany('0.4'));

    const gaps = await gapsOf(api, 2);

    expect(Math.min(...gaps)).toBeGreaterThanOrEqual(395);
    // Far below the maximum pause: a busy machine may be late by a second.
    expect(Math.max(...gaps)).toBeLessThan(5_000);
  });

  it('with a long Retry-After is probed after the maximum pause', async () => {
    const api = await createThrottled({ probeMs: 10, maxPauseMs: 100 }, tooMany('600'));

    const [gap] = await gapsOf(api, 1);

    expect(gap).toBeGreaterThanOrEqual(95);
    expect(gap).toBeLessThan(10_000);
  });

  it('with a short Retry-After gets the minimum pause', async () => {
    const api = await createThrottled({ probeMs: 200 }, tooMany('0.001'));

    const gaps = await gapsOf(api, 2);

    expect(Math.min(...gaps)).toBeGreaterThanOrEqual(195);
  });

  it('without a Retry-After doubles the pause up to the maximum', async () => {
    const api = await createThrottled({ probeMs: 50, maxPauseMs: 200 });

    const leasts = [50, 100, 200, 200, 200, 200, 200];
    const gaps = await gapsOf(api, leasts.length);

    for (const [index, least] of leasts.entries()) {
      expect(gaps[index]).toBeGreaterThanOrEqual(least - 5);
    }
    // Without a maximum the last pause would be 3.2 s.
    expect(gaps.at(-1)).toBeLessThan(2_500);
  });
});

describe('the return after a 429', () => {
  it.each([
    ['success', ok],
    ['404', refuse(404)],
    ['400', refuse(400)],
  ])('begins with a probe answered with %s, and is reported once', async (_title, answer) => {
    const said: string[] = [];
    const api = await createThrottled({
      probeMs: 20,
      onThrottled: () => said.push('throttled'),
      onUnthrottled: () => said.push('unthrottled'),
    });
    await gapsOf(api, 2);
    api.answerWith(answer);
    const { length } = api.sent;

    await until('calls are sent again', async () => {
      await inActivity(() => api.read(OTHER_AREA)).catch(() => undefined);
      return api.sent.length >= length + 3;
    });

    expect(said).toEqual(['throttled', 'unthrottled']);
  });

  it.each([
    ['503', refuse(503)],
    ['no connection', refuseConnection],
  ])('does not begin with a probe that ends with %s', async (_title, answer) => {
    const api = await createThrottled({ probeMs: 200, failures: 100 });
    api.answerWith(answer);
    await gapsOf(api, 1);
    const { length } = api.sent;

    const failure = await failureIn(() => api.read());

    expect(failure.type).toBe('RateLimited');
    expect(api.sent).toHaveLength(length);
  });

  it('is tested by one call of many, however long it takes', async () => {
    const api = await createThrottled({ probeMs: 1 });
    const gate = createGate();
    api.answerWith(gate.answer);
    await delay(20);

    const ends = Promise.allSettled(Array.from({ length: 50 }, () => inActivity(() => api.read())));
    await until('the probe was sent', () => api.sent.length > 1);
    await delay(20);
    const late = await failureIn(() => api.read());
    gate.release(() => json({ tasks: [] }));
    const statuses = (await ends).map(({ status }) => status);

    expect(statuses.filter((status) => status === 'fulfilled')).toHaveLength(1);
    expect(api.sent).toHaveLength(2);
    expect(late.message).toContain('was not sent');
  });

  it('sends one probe at a time when the 429s turn into an outage', async () => {
    const PROBE_MS = 60;
    const api = await createThrottled({ probeMs: PROBE_MS, failures: 2 });
    await gapsOf(api, 1);
    api.answerWith(refuse(503));

    const gaps = await gapsOf(api, 6);

    expect(Math.min(...gaps.slice(1))).toBeGreaterThanOrEqual(PROBE_MS - 5);
    expect(api.breakers.state('cloud')).toBe('open');
    api.answerWith(ok);
    await until('calls are sent again', async () => {
      await inActivity(() => api.read()).catch(() => undefined);
      return api.breakers.state('cloud') === 'closed';
    });
    await inActivity(() => api.mutate());
  });
});
