import { getEventListeners } from 'node:events';
import { setTimeout as delay, setImmediate as turn } from 'node:timers/promises';

import { describe, expect, it } from '@jest/globals';

import { outlastServerOutage, trackCalls } from '../../src/client/server-calls.js';
import { collectGarbage } from '../support/http/collect-garbage.js';

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

/** As the SDK: every request leaves a listener behind with the signal. */
function connect() {
  const signals: WeakRef<AbortSignal>[] = [];
  const closing = new AbortController();
  const connection = {
    withAbortSignal<T>(signal: AbortSignal, work: () => Promise<T>): Promise<T> {
      signal.addEventListener('abort', () => signals.length);
      signals.push(new WeakRef(signal));
      return work();
    },
  };
  return { closing, signals, calls: trackCalls(connection, closing.signal) };
}

function never(): Promise<never> {
  return new Promise(() => undefined);
}

describe('the calls of a connection', () => {
  it('are let go when they have ended, however long the connection lives', async () => {
    const { closing, signals, calls } = connect();

    for (let call = 0; call < 100; call++) {
      await calls.call(() => Promise.resolve(call));
      await calls.call(() => Promise.reject(new Error('no answer'))).catch(() => undefined);
    }
    await turn();
    collectGarbage();
    await turn();
    collectGarbage();

    // The last call may still be on the stack.
    expect(signals.filter((signal) => signal.deref() !== undefined).length).toBeLessThanOrEqual(2);
    expect(getEventListeners(closing.signal, 'abort')).toEqual([]);
  });

  it('end with the connection while they are open', () => {
    const { closing, signals, calls } = connect();
    void calls.call(never);
    closing.abort();

    expect(signals[0]?.deref()?.aborted).toBe(true);
  });

  it('end at once after the connection has ended', () => {
    const { closing, signals, calls } = connect();
    closing.abort();
    void calls.call(never);

    expect(signals[0]?.deref()?.aborted).toBe(true);
  });

  it('are waited for', async () => {
    const { calls } = connect();
    let answer = (): void => undefined;
    const asked = calls.call(
      () =>
        new Promise<void>((resolve) => {
          answer = resolve;
        }),
    );
    let isSettled = false;
    const settled = calls.settled().then(() => {
      isSettled = true;
    });
    await turn();

    expect(isSettled).toBe(false);
    answer();
    await asked;
    await settled;
    expect(isSettled).toBe(true);
  });
});
