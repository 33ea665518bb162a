import { setTimeout as delay } from 'node:timers/promises';

import { describe, expect, it } from '@jest/globals';
import { ApplicationFailure } from '@temporalio/common';

import { repeatAfterMs, withPatientReads } from '../../../src/engine/http/patient-reads.js';
import { taskIdsSchema } from '../../../src/contract/api/cloud.js';
import { heartbeatDetailsSchema } from '../../../src/engine/schema/heartbeat-details.js';
import type { ApiClient } from '../../../src/activities/index.js';
import {
  createActivityEnvironment,
  failureIn,
  inActivity,
  thrownBy,
} from '../../support/http/in-activity.js';
import { createScriptedApi, json } from '../../support/http/scripted-api.js';
import { until } from '../../support/timing/until.js';

const MINUTES_MS = 600_000;
const patient = (startToCloseTimeoutMs = MINUTES_MS) =>
  createActivityEnvironment({ startToCloseTimeoutMs });

/** Answers with these statuses, then with 200. */
function answering(statuses: number[], headers: Record<string, string> = {}) {
  return createScriptedApi(() => {
    const status = statuses.shift() ?? 200;
    return json(status === 200 ? { tasks: ['t-1'] } : { message: 'no' }, status, headers);
  });
}

/** With these statuses in turn, and then with the last one: each later than the one before. */
function answeringLate(statuses: readonly number[]) {
  let calls = 0;
  return createScriptedApi(async () => {
    const status = statuses[calls] ?? statuses.at(-1) ?? 200;
    calls += 1;
    await delay(calls * 20);
    return json(status === 200 ? { tasks: ['t-1'] } : { message: 'no' }, status);
  });
}

const call = (api: ApiClient, method: 'GET' | 'POST' = 'GET') =>
  api.request({ method, path: '/cloud/x', response: taskIdsSchema, repeatable: true });

/** The reads of an activity, one after the other. */
const readTimes = (api: ApiClient, times: number) =>
  withPatientReads(api, async (reads) => {
    for (let read = 0; read < times; read++) await call(reads);
  });

const readAtOnce = (api: ApiClient) =>
  withPatientReads(api, (reads) => Promise.all([1, 2, 3, 4].map(() => call(reads))));

describe('an activity of several reads', () => {
  it('repeats the one that fails in place', async () => {
    const { api, requests } = answering([200, 503, 500, 200, 502]);

    await inActivity(() => readTimes(api, 3), patient());

    expect(requests).toHaveLength(6);
  });

  it('leaves with the failure of its first read: it has nothing to lose', async () => {
    const { api, requests } = answering([503]);

    const failure = await failureIn(() => readTimes(api, 3), patient());

    expect(failure).toMatchObject({ type: 'ServiceUnavailable', nonRetryable: false });
    expect(requests).toHaveLength(1);
  });

  it.each([
    [400, 'InvalidRequest'],
    [401, 'Unauthorized'],
    [404, 'NotFound'],
  ])('leaves after a %d', async (status, type) => {
    const { api, requests } = answering([200, status]);

    expect(await failureIn(() => readTimes(api, 3), patient())).toMatchObject({ type });
    expect(requests).toHaveLength(2);
  });

  it('repeats none of the reads side by side while the API answers nothing', async () => {
    const { api, requests } = answeringLate([503]);

    const failure = await failureIn(() => readAtOnce(api), patient());

    expect(failure).toMatchObject({ type: 'ServiceUnavailable' });
    expect(requests).toHaveLength(4);
  });

  it('repeats those that failed beside one that was answered, whichever came first', async () => {
    const { api, requests } = answeringLate([503, 503, 200, 503, 200]);

    await inActivity(() => readAtOnce(api), patient());

    expect(requests).toHaveLength(7);
  });

  it.each([
    ['once while it answers nothing', [503], 1],
    ['for everything as soon as it answers', [200], 4],
    ['for the rest where one answer has an unknown form', [201, 200], 5],
  ])('asks the API %s, in an attempt after one that has failed', async (_, statuses, count) => {
    const { api, requests } = answeringLate(statuses);
    const environment = createActivityEnvironment({
      ...{ attempt: 2, startToCloseTimeoutMs: MINUTES_MS },
    });

    await inActivity(() => readAtOnce(api), environment).catch(() => undefined);

    expect(requests).toHaveLength(count);
  });

  it('repeats nothing that changes something', async () => {
    const { api, requests } = answering([200, 503]);
    const act = () =>
      withPatientReads(api, async (reads) => {
        await call(reads);
        await call(reads, 'POST');
      });

    await failureIn(act, patient());

    expect(requests).toHaveLength(2);
  });

  it('leaves when its attempt has no time for a repeat', async () => {
    const { api, requests } = answering([200, 503]);

    await failureIn(() => readTimes(api, 2), patient(15_000));

    expect(requests).toHaveLength(2);
  });

  it('leaves when it would have to wait for longer than its patience', async () => {
    const { api, requests } = answering([200, 503], { 'retry-after': '120' });

    const failure = await failureIn(() => readTimes(api, 2), patient());

    expect(requests).toHaveLength(2);
    expect(failure.nextRetryDelay).toBeGreaterThanOrEqual(120_000);
  });

  it('ends at once when it is cancelled while it waits', async () => {
    const { api, requests } = answering([200, 503], { 'retry-after': '30' });
    const environment = patient();
    const begun = Date.now();
    const ended = thrownBy(() => inActivity(() => readTimes(api, 2), environment));
    await until('the second read has failed', () => requests.length === 2);

    environment.cancel();

    expect(await ended).toMatchObject({ name: 'CancelledFailure' });
    expect(Date.now() - begun).toBeLessThan(20_000);
    expect(requests).toHaveLength(2);
  });

  it('repeats no read after another one has ended the activity', async () => {
    const { api, requests } = createScriptedApi(({ url }) =>
      url.endsWith('/refused') ? json({}, 400) : json({}, 503, { 'retry-after': '1' }),
    );
    const path = (name: string) => ({ path: `/cloud/${name}`, response: taskIdsSchema }) as const;
    let other: Promise<unknown> = Promise.resolve();
    const act = () =>
      withPatientReads(api, (reads) => {
        other = thrownBy(() =>
          reads.request({ ...path('failing'), method: 'GET', repeatable: true }),
        );
        return reads.request({ ...path('refused'), method: 'GET', repeatable: true });
      });

    await failureIn(act, patient());
    await other;

    expect(requests).toHaveLength(2);
  });

  it('tells in its heartbeat which failure it repeats, and when no more', async () => {
    const { api } = answering([200, 503, 503]);
    const environment = patient();
    const beats: unknown[] = [];
    environment.on('heartbeat', (details: unknown) => beats.push(details));

    await inActivity(() => readTimes(api, 2), environment);

    expect(beats).toMatchObject([{ failures: 1 }, { failures: 2 }, undefined]);
    const [, second] = beats.map((details) => heartbeatDetailsSchema.safeParse(details).data);
    expect(second).toMatchObject({
      waitingFor: 'answer',
      failure: {
        type: 'ServiceUnavailable',
        message: expect.stringMatching(/^GET \/cloud\/x was answered with 503 \(no\)/),
      },
    });
    expect(JSON.stringify(beats)).not.toContain('canary-key');
  });
});

describe('the time until a failed read is repeated', () => {
  const failing = (nextRetryDelay?: number) =>
    ApplicationFailure.create({
      type: 'ServiceUnavailable',
      ...(nextRetryDelay !== undefined && { nextRetryDelay }),
    });
  const at = { failures: 1, failingMs: 0, leftMs: Infinity };

  it.each([
    [1, 0],
    [2, 500],
    [3, 1_000],
    [6, 8_000],
    [9, 10_000],
  ])('grows: after failure %d it is at most %d ms', (failures, most) => {
    expect(repeatAfterMs(failing(), { ...at, failures }, 1)).toBe(most);
    expect(repeatAfterMs(failing(), { ...at, failures }, 0)).toBe(most / 2);
  });

  it('comes too when the answer has an unknown form: it may be a passing one', () => {
    const failure = ApplicationFailure.nonRetryable('unknown form of body', 'UnexpectedResponse');

    expect(repeatAfterMs(failure, at)).toBe(0);
    expect(repeatAfterMs(failure, { ...at, failures: 4 })).toBeUndefined();
  });

  it('is the time that the API or the breaker has set', () => {
    expect(repeatAfterMs(failing(6_000), at)).toBe(6_000);
  });

  it.each<[string, ApplicationFailure, Partial<typeof at>]>([
    ['it has failed for too long', failing(), { failingMs: 60_001 }],
    ['the wait is too long', failing(50_000), { failingMs: 20_000 }],
    ['the attempt ends too soon', failing(5_000), { leftMs: 24_000 }],
    ['the API says no', ApplicationFailure.create({ type: 'Unauthorized' }), {}],
  ])('does not come when %s', (_why, failure, changes) => {
    expect(repeatAfterMs(failure, { ...at, ...changes })).toBeUndefined();
  });
});
