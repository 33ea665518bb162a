import { setTimeout as delay } from 'node:timers/promises';

import { describe, expect, it } from '@jest/globals';
import { CancelledFailure } from '@temporalio/common';

import type { Outage } from '../../../src/engine/http/reply.js';
import {
  createActivityEnvironment,
  failureIn,
  inActivity,
  thrownBy,
} from '../../support/http/in-activity.js';
import {
  createGate,
  createGuardedApi,
  createOutage,
  NEVER_MS,
  ok,
  refuse,
  refuseConnection,
  readTimes,
} from './guarded-api.js';
import { json, untilAborted } from '../../support/http/scripted-api.js';
import { until } from '../../support/timing/until.js';

describe('a breaker opens', () => {
  it.each([
    ['5xx', refuse(500)],
    ['a gateway without a backend', refuse(502)],
    ['refused connections', refuseConnection],
    ['answers that never come', untilAborted],
  ])('after five calls with %s', async (_title, answer) => {
    const api = createGuardedApi({ probeMs: NEVER_MS }, { timeoutMs: 10 });
    api.answerWith(answer);
    await readTimes(api, 4);
    expect(api.breakers.state('cloud')).toBe('closed');

    await failureIn(() => api.mutate());

    expect(api.breakers.state('cloud')).toBe('open');
  });

  it.each([400, 401, 403, 404, 408, 409, 422, 429, 302, 501])(
    'never after a %d, because that is an answer',
    async (status) => {
      // The gates of the key and of the rate must let everything through here.
      const api = createGuardedApi({ keyProbeMs: 0, probeMs: 0 });
      api.answerWith(refuse(status));

      await readTimes(api, 10);

      expect(api.breakers.state('cloud')).toBe('closed');
      expect(api.sent).toHaveLength(10);
    },
  );

  it('never for a body of unknown form', async () => {
    const api = createGuardedApi({});
    api.answerWith(() => json({ surprise: true }));

    await readTimes(api, 10);

    expect(api.breakers.state('cloud')).toBe('closed');
  });

  it('never when an answer comes in between', async () => {
    const api = createGuardedApi({});
    for (const status of [503, 404, 503, 404]) {
      api.answerWith(refuse(status));
      await readTimes(api, status === 503 ? 4 : 1);
    }

    expect(api.breakers.state('cloud')).toBe('closed');
  });

  it('never for cancelled calls', async () => {
    const api = createGuardedApi({ failures: 1 });
    const environment = createActivityEnvironment();
    api.answerWith((request) => {
      environment.cancel();
      return untilAborted(request);
    });

    const error = await thrownBy(() => inActivity(() => api.read(), environment));

    expect(error).toBeInstanceOf(CancelledFailure);
    expect(api.breakers.state('cloud')).toBe('closed');
  });

  it('only for its own area', async () => {
    const api = await createOutage({ probeMs: NEVER_MS });
    api.answerWith(ok);

    const answer = await inActivity(() => api.read('/fastedge/v1/apps'));

    expect(answer).toEqual({ tasks: ['t-1'] });
    expect(api.breakers.state('fastedge')).toBe('closed');
    expect(api.breakers.state('cloud')).toBe('open');
  });
});

describe('an open breaker', () => {
  it('fails calls immediately as retryable, without a request', async () => {
    // The message has whole seconds.
    const before = Date.now() - 1_000;
    const api = await createOutage({ probeMs: NEVER_MS });
    const { length } = api.sent;

    const read = await failureIn(() => api.read());
    const mutation = await failureIn(() => api.mutate());

    expect(api.sent).toHaveLength(length);
    for (const failure of [read, mutation]) {
      expect(failure).toMatchObject({ type: 'ServiceUnavailable', nonRetryable: false });
      expect(failure.message).toMatch(
        /was not sent: the API area cloud has not answered since [-\d]+T[:\d]+Z; calls wait\./,
      );
      const [, since = ''] = /since (\S+Z)/.exec(failure.message) ?? [];
      expect(Date.parse(since)).toBeGreaterThan(before);
      expect(Date.parse(since)).toBeLessThanOrEqual(Date.now());
    }
    expect(mutation.details).toEqual([
      { method: 'POST', path: '/cloud/v1/projects', advice: expect.any(String) },
    ]);
  });

  it('lets one of 50 concurrent calls through as a probe and fails the others', async () => {
    const api = await createOutage({ probeMs: 1 });
    const gate = createGate();
    api.answerWith(gate.answer);
    await delay(20);
    const { length } = api.sent;

    const calls = Array.from({ length: 50 }, () => inActivity(() => api.read()));
    const ends = Promise.allSettled(calls);
    const first = await Promise.race(calls.map((call) => call.catch(() => 'failed')));

    expect(first).toBe('failed');
    expect(api.breakers.state('cloud')).toBe('probing');
    await until('the probe was sent', () => api.sent.length > length);
    gate.release(() => json({ tasks: [] }));
    const statuses = (await ends).map(({ status }) => status);
    expect(api.sent).toHaveLength(length + 1);
    expect(statuses.filter((status) => status === 'fulfilled')).toHaveLength(1);
    expect(api.breakers.state('cloud')).toBe('closed');
  });

  it('sends at most one request per probe interval, however many calls wait', async () => {
    const PROBE_MS = 100;
    const api = await createOutage({ probeMs: PROBE_MS, requestsPerSecond: 1_000 });
    const { length } = api.sent;
    // A count, not a time: on a busy machine these calls may take longer than any time.
    const PROBES = 4;
    const runs = Array.from({ length: 300 }, async () => {
      while (api.sent.length < length + PROBES) {
        await failureIn(() => api.read());
        // Earlier than announced.
        await delay(20);
      }
    });

    await Promise.all(runs);

    const times = api.sent.slice(length - 1).map(({ atMs }) => atMs);
    const gaps = times.slice(1).map((time, index) => time - (times[index] ?? 0));
    expect(gaps.length).toBeGreaterThanOrEqual(PROBES);
    expect(gaps.filter((gap) => gap < PROBE_MS)).toEqual([]);
  });

  it('closes when a probe is answered, and reports each outage once', async () => {
    const said: [string, Outage][] = [];
    const api = await createOutage({
      probeMs: 10,
      onOpen: (outage) => said.push(['open', outage]),
      onClose: (outage) => said.push(['close', outage]),
    });
    const { length } = api.sent;
    await until('two probes failed', async () => {
      await readTimes(api, 1);
      return api.sent.length >= length + 2;
    });

    api.answerWith(ok);
    await until('it is closed', async () => {
      await readTimes(api, 1);
      return api.breakers.state('cloud') === 'closed';
    });

    const outage = { area: 'cloud', since: said[0]?.[1].since };
    expect(said).toEqual([
      ['open', outage],
      ['close', outage],
    ]);
    await inActivity(() => api.mutate());
  });
});
