import { setTimeout as delay } from 'node:timers/promises';

import { describe, expect, it } from '@jest/globals';

import { createActivityEnvironment, failureIn } from '../../support/http/in-activity.js';
import { createOutage, refuse, refuseConnection, readTimes } from './guarded-api.js';
import { json } from '../../support/http/scripted-api.js';

describe('an account whose API does not answer', () => {
  it('lets waiting calls return one by one, at two thirds of the request budget', async () => {
    const api = await createOutage({ probeMs: 5_000, requestsPerSecond: 10 });

    const failures = await Promise.all(
      Array.from({ length: 300 }, () => failureIn(() => api.read())),
    );

    const delays = failures.map(({ nextRetryDelay }) => Number(nextRetryDelay));
    expect(Math.min(...delays)).toBeGreaterThan(5_900);
    expect(Math.max(...delays)).toBeLessThan(52_000);
    const gaps = delays.slice(1).map((ms, index) => ms - (delays[index] ?? 0));
    // Minus the time of the calls themselves, up to a second on a busy machine.
    expect(mean(gaps)).toBeGreaterThan(130);
    expect(mean(gaps)).toBeLessThan(151);
  });

  it('gives a failed probe a slot too, unless the API names a time', async () => {
    const api = await createOutage({ probeMs: 10 });
    const probe = async (answer: Parameters<typeof api.answerWith>[0]) => {
      await delay(20);
      api.answerWith(answer);
      const failure = await failureIn(() => api.read());
      expect(failure.message).not.toContain('was not sent');
      return failure.nextRetryDelay;
    };

    const delays = [
      await probe(refuse(503)),
      await probe(refuseConnection),
      await probe(() => json({}, 503, { 'retry-after': '20' })),
      await probe(() => json({}, 503, { 'retry-after': '600' })),
    ];

    expect(delays[0]).toBeLessThan(2_000);
    expect(delays[1]).toBeLessThan(2_000);
    expect(delays[2]).toBeGreaterThanOrEqual(20_000);
    expect(delays[2]).toBeLessThanOrEqual(24_000);
    // Single calls still probe, so no call has to wait longer.
    expect(delays[3]).toBeGreaterThanOrEqual(30_000);
    expect(delays[3]).toBeLessThanOrEqual(36_000);
  });

  it('lets an urgent call return before all waiting ones', async () => {
    const api = await createOutage({ probeMs: 5_000, requestsPerSecond: 1 });
    await readTimes(api, 50);
    const withPriority = (priorityKey: number) =>
      failureIn(() => api.read(), createActivityEnvironment({ priority: { priorityKey } }));

    const urgent = await withPriority(1);
    const usual = await withPriority(3);

    expect(Number(urgent.nextRetryDelay)).toBe(6_000);
    expect(Number(usual.nextRetryDelay)).toBeGreaterThan(75_000);
  });
});

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}
