import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';

import { addJitter, parseRetryAfter } from '../../../src/engine/http/deadline.js';
import { taskIdsSchema } from '../../../src/contract/api/cloud.js';
import { failureIn } from '../../support/http/in-activity.js';
import { createScriptedApi } from '../../support/http/scripted-api.js';

const NOW = Date.parse('2026-11-21T12:00:00Z');
const TEN_MINUTES = 600_000;

describe('parseRetryAfter', () => {
  it.each<[string, number]>([
    ['1', 1_000],
    ['30', 30_000],
    [' 30 ', 30_000],
    ['1.5', 1_500],
    ['600', TEN_MINUTES],
    ['601', TEN_MINUTES],
    ['86400', TEN_MINUTES],
    ['99999999999999999999', TEN_MINUTES],
    ['Sat, 21 Nov 2026 12:00:07 GMT', 7_000],
    ['Saturday, 21-Nov-26 12:00:07 GMT', 7_000],
    ['Sat, 21 Nov 2099 12:00:00 GMT', TEN_MINUTES],
  ])('reads %j as %d ms', (header, expected) => {
    const waitMs = parseRetryAfter(header, NOW);

    expect(waitMs).toBe(expected);
  });

  it.each([
    [null],
    [''],
    ['soon'],
    ['Infinity'],
    ['NaN'],
    ['1e9'],
    ['5 seconds'],
    ['0x10'],
    ['0'],
    ['-5'],
    ['2, 5'],
    ['Sat, 21 Nov 2026 11:00:00 GMT'],
  ])('ignores %j', (header) => {
    const waitMs = parseRetryAfter(header, NOW);

    expect(waitMs).toBeUndefined();
  });

  it('returns at most ten minutes, and never a negative time', () => {
    const header = fc.oneof(fc.string(), fc.integer().map(String), fc.double().map(String));
    const property = fc.property(header, (text) => {
      const waitMs = parseRetryAfter(text, NOW) ?? 0;

      expect(waitMs).toBeGreaterThanOrEqual(0);
      expect(waitMs).toBeLessThanOrEqual(TEN_MINUTES);
    });

    fc.assert(property);
  });
});

describe('addJitter', () => {
  it('adds at most a fifth, and never shortens', () => {
    const property = fc.property(
      fc.integer({ min: 0, max: TEN_MINUTES }),
      fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }),
      (waitMs, random) => {
        const jittered = addJitter(waitMs, random);

        expect(jittered).toBeGreaterThanOrEqual(waitMs);
        expect(jittered).toBeLessThanOrEqual(Math.round(waitMs * 1.2));
      },
    );

    fc.assert(property);
  });

  it('spreads over the whole fifth', () => {
    const ends = [addJitter(10_000, 0), addJitter(10_000, 0.5), addJitter(10_000, 1)];

    expect(ends).toEqual([10_000, 11_000, 12_000]);
  });
});

describe('a failure with Retry-After', () => {
  const READ = { method: 'GET', path: '/x', response: taskIdsSchema, repeatable: true } as const;

  function answering(status: number, retryAfter: string, rest: Record<string, string> = {}) {
    const headers = { 'retry-after': retryAfter, ...rest };
    return createScriptedApi(() => new Response(null, { status, headers }));
  }

  it.each([429, 503, 500, 409])(
    'of status %d waits as told, up to a fifth longer',
    async (status) => {
      const { api } = answering(status, '40');

      const failure = await failureIn(() => api.request(READ));

      expect(failure.nonRetryable).toBe(false);
      expect(failure.nextRetryDelay).toBeGreaterThanOrEqual(40_000);
      expect(failure.nextRetryDelay).toBeLessThanOrEqual(48_000);
    },
  );

  it('reads an HTTP date against the clock', async () => {
    const { api } = answering(503, new Date(Date.now() + 100_000).toUTCString());

    const failure = await failureIn(() => api.request(READ));

    expect(failure.nextRetryDelay).toBeGreaterThan(90_000);
    expect(failure.nextRetryDelay).toBeLessThanOrEqual(120_000);
  });

  it('reads an HTTP date against the clock of whoever has written it', async () => {
    const date = 'Sat, 21 Nov 2099 12:00:00 GMT';
    const { api } = answering(503, 'Sat, 21 Nov 2099 12:00:40 GMT', { date });

    const failure = await failureIn(() => api.request(READ));

    expect(failure.nextRetryDelay).toBeGreaterThanOrEqual(40_000);
    expect(failure.nextRetryDelay).toBeLessThanOrEqual(48_000);
  });

  it('leaves the pace to Temporal when the header is malformed', async () => {
    const { api } = answering(503, 'in a while');

    const failure = await failureIn(() => api.request(READ));

    expect(failure.nextRetryDelay).toBeUndefined();
  });

  it('tells a refused mutation how long to wait', async () => {
    const { api } = answering(429, '40');

    const failure = await failureIn(() =>
      api.request({ ...READ, method: 'POST', repeatable: false }),
    );

    expect(failure.type).toBe('RateLimited');
    expect(failure.nextRetryDelay).toBeGreaterThanOrEqual(40_000);
  });
});
