import { getEventListeners } from 'node:events';
import { setImmediate as turn } from 'node:timers/promises';

import { describe, expect, it } from '@jest/globals';

import { trackCalls } from '../../src/client/track-calls.js';
import { collectGarbage } from '../support/http/collect-garbage.js';

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
