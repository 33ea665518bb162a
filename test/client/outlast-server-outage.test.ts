import { setTimeout as delay } from 'node:timers/promises';

import { describe, expect, it } from '@jest/globals';

import { outlastServerOutage } from '../../src/client/outlast-server-outage.js';

const UNAVAILABLE = 14;
const RESOURCE_EXHAUSTED = 8;
const DEADLINE_EXCEEDED = 4;
const NOT_FOUND = 5;

/** As the SDK throws it: the call's own error is the cause. */
function failed(code: number): Error {
  const cause = Object.assign(new Error('gRPC'), { code, details: '', metadata: {} });
  return new Error('Failed to get Workflow execution history', { cause });
}

describe('outlastServerOutage', () => {
  it.each([
    ['is away', UNAVAILABLE],
    ['has too many open calls', RESOURCE_EXHAUSTED],
  ])('repeats the call while the server %s, and reports each time', async (_, code) => {
    const answers = [failed(code), failed(code), 'the end'];
    let told = 0;

    const answer = await outlastServerOutage(
      () => {
        const next = answers.shift();
        return next instanceof Error ? Promise.reject(next) : Promise.resolve(next);
      },
      () => {
        told += 1;
      },
    );

    expect(answer).toBe('the end');
    expect(told).toBe(2);
  });

  it('repeats the call when the server has missed its own deadline', async () => {
    const answers = [failed(DEADLINE_EXCEEDED), 'the end'];

    const answer = await outlastServerOutage(async () => {
      const next = answers.shift();
      // A server that is too slow answers late.
      await delay(150);
      if (next instanceof Error) throw next;
      return next;
    });

    expect(answer).toBe('the end');
  });

  it("ends with the caller's own deadline, which fails each further call immediately", async () => {
    const late = outlastServerOutage(() => Promise.reject(failed(DEADLINE_EXCEEDED)));

    await expect(late).rejects.toThrow('history');
  });

  it('passes on every other failure', async () => {
    await expect(outlastServerOutage(() => Promise.reject(failed(NOT_FOUND)))).rejects.toThrow(
      'history',
    );
  });
});
