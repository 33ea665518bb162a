import { setTimeout as delay } from 'node:timers/promises';

import { describe, expect, it } from '@jest/globals';

import type { BreakersOptions } from '../../../src/activities/gcore-api.js';
import {
  createGate,
  createGuardedApi,
  NEVER_MS,
  ok,
  refuse,
  refuseConnection,
} from './guarded-api.js';
import { failureIn, inActivity } from '../../support/http/in-activity.js';
import { json } from '../../support/http/scripted-api.js';
import { withClockSetBy } from '../../support/timing/set-clock.js';
import { until } from '../../support/timing/until.js';

const OTHER_AREA = '/fastedge/v1/apps';

/** An account whose key has just been refused by the area `cloud`. */
async function createRefused(options: BreakersOptions) {
  const api = createGuardedApi(options);
  api.answerWith(refuse(401));
  const failure = await failureIn(() => api.read());
  expect(failure.type).toBe('Unauthorized');
  return api;
}

describe('a refused key', () => {
  it('fails further calls of its area immediately, without a request', async () => {
    const api = await createRefused({ keyProbeMs: NEVER_MS });
    api.answerWith(ok);

    const failures = [
      await failureIn(() => api.read()),
      await failureIn(() => api.mutate()),
      await failureIn(() => api.read('/cloud/v1/instances/1/2')),
    ];

    expect(api.sent).toHaveLength(1);
    for (const failure of failures) {
      expect(failure).toMatchObject({
        type: 'Unauthorized',
        nonRetryable: true,
        nextRetryDelay: undefined,
      });
      expect(failure.message).toMatch(
        /was not sent: the API area cloud has refused the key of this account since [-\d]+T[:\d]+Z\./,
      );
    }
  });

  it.each([400, 403, 404, 500])('is assumed after a 401, but not after a %d', async (status) => {
    const api = createGuardedApi({ keyProbeMs: NEVER_MS });
    api.answerWith(refuse(status));
    await failureIn(() => api.read());
    api.answerWith(ok);

    await inActivity(() => api.read());

    expect(api.sent).toHaveLength(2);
  });

  it('is tested by one call per interval until one succeeds', async () => {
    const said: string[] = [];
    const api = await createRefused({
      keyProbeMs: 30,
      onKeyRefused: () => said.push('refused'),
      onKeyAccepted: () => said.push('accepted'),
    });
    await delay(40);
    await failureIn(() => api.read());
    expect(api.sent).toHaveLength(2);
    await delay(40);
    api.answerWith(ok);

    await inActivity(() => api.read());
    await inActivity(() => api.mutate());

    expect(said).toEqual(['refused', 'accepted']);
  });

  it('says nothing about another area, whose next call finds out', async () => {
    const api = await createRefused({ keyProbeMs: NEVER_MS });
    api.answerWith(ok);
    await inActivity(() => api.read(OTHER_AREA));
    await inActivity(() => api.read(OTHER_AREA));

    api.answerWith(refuse(401));
    await failureIn(() => api.read(OTHER_AREA));
    const held = await failureIn(() => api.read(OTHER_AREA));

    expect(api.sent).toHaveLength(4);
    expect(held.message).toContain('the API area fastedge has refused the key');
  });

  it('is tested in time by a process whose clock is set back by a day', async () => {
    const api = await createRefused({ keyProbeMs: 10 });
    api.answerWith(ok);

    await withClockSetBy(-24 * 3_600_000, async () => {
      await delay(20);
      await inActivity(() => api.read());
    });

    expect(api.sent).toHaveLength(2);
  });

  it('is reported once, however many calls are refused', async () => {
    const said: string[] = [];
    const api = createGuardedApi({ onKeyRefused: () => said.push('refused') });
    api.answerWith(refuse(401));

    await Promise.all(Array.from({ length: 50 }, () => failureIn(() => api.read())));

    expect(said).toEqual(['refused']);
  });

  it('is tested by one of 50 concurrent calls', async () => {
    const api = await createRefused({ keyProbeMs: 1 });
    const gate = createGate();
    api.answerWith(gate.answer);
    await delay(20);

    const calls = Array.from({ length: 50 }, () => inActivity(() => api.read()));
    const ends = Promise.allSettled(calls);
    await until('the probe was sent', () => api.sent.length > 1);
    await delay(20);
    gate.release(() => json({ tasks: [] }));
    const statuses = (await ends).map(({ status }) => status);

    expect(statuses.filter((status) => status === 'fulfilled')).toHaveLength(1);
    expect(api.sent).toHaveLength(2);
  });

  it.each([
    ['429', refuse(429)],
    ['503', refuse(503)],
    ['404 with a page of a proxy', () => new Response('<html>', { status: 404 })],
    ['no connection', refuseConnection],
  ])('stays refused after a probe that ends with %s', async (_title, answer) => {
    const api = await createRefused({ keyProbeMs: 500 });
    api.answerWith(answer);
    await delay(510);
    await failureIn(() => api.read());
    expect(api.sent).toHaveLength(2);

    const failure = await failureIn(() => api.read());

    expect(failure.type).toBe('Unauthorized');
    expect(api.sent).toHaveLength(2);
  });

  it.each([400, 403, 404, 409, 410, 422])(
    'holds nothing back after a probe that ends with %d: the key was accepted',
    async (status) => {
      const api = await createRefused({ keyProbeMs: 10 });
      api.answerWith(refuse(status));
      await delay(20);
      await failureIn(() => api.read());
      api.answerWith(ok);

      await inActivity(() => api.read());

      expect(api.sent).toHaveLength(3);
    },
  );

  it('is not cleared by a call that was sent before', async () => {
    const api = createGuardedApi({ keyProbeMs: NEVER_MS });
    const gate = createGate();
    api.answerWith(gate.answer);
    const old = inActivity(() => api.read());
    await until('the old call was sent', () => api.sent.length === 1);
    api.answerWith(refuse(401));
    await failureIn(() => api.read());

    gate.release(() => json({ tasks: [] }));
    await old;
    const failure = await failureIn(() => api.read());

    expect(failure.type).toBe('Unauthorized');
    expect(api.sent).toHaveLength(2);
  });

  it('keeps its probe when a breaker holds the call back', async () => {
    const api = createGuardedApi({ keyProbeMs: 50, probeMs: NEVER_MS, failures: 1 });
    const region = '/cloud/v1/instances/1/1';
    api.answerWith(refuse(503));
    await failureIn(() => api.read());
    api.answerWith(refuse(401));
    await failureIn(() => api.read(region));
    await delay(60);

    const held = await failureIn(() => api.read());
    const probe = await failureIn(() => api.read(region));

    expect(held.type).toBe('ServiceUnavailable');
    expect(probe.message).toContain('was answered with 401');
  });
});
