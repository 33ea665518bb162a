import { getEventListeners } from 'node:events';
import { setTimeout as delay, setImmediate as turn } from 'node:timers/promises';

import { describe, expect, it } from '@jest/globals';
import { Connection } from '@temporalio/client';

import { endRequestsWith, outlastServerOutage, trackCalls } from '../../src/client/server-calls.js';
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

/** As the SDK: every request leaves a listener behind with the signal, which holds what it has read. */
function connect() {
  const signals: WeakRef<AbortSignal>[] = [];
  const closing = new AbortController();
  let open: AbortSignal | undefined;
  const answers: (() => void)[] = [];
  const workflowService = {
    describeNamespace: (): Promise<void> => {
      const signal = open;
      signal?.addEventListener('abort', () => signals.length);
      if (signal !== undefined) signals.push(new WeakRef(signal));
      return new Promise((resolve) => {
        answers.push(resolve);
      });
    },
  };
  const connection = {
    workflowService,
    operatorService: {},
    withAbortSignal<T>(signal: AbortSignal, work: () => Promise<T>): Promise<T> {
      open = signal;
      const done = work();
      open = undefined;
      return done;
    },
  };
  endRequestsWith(closing.signal, connection);
  return { closing, signals, answers, request: () => workflowService.describeNamespace() };
}

describe('the requests of a connection', () => {
  it('are let go when they are answered, while the call that has sent them goes on', async () => {
    const { closing, signals, answers, request } = connect();

    for (let sent = 0; sent < 100; sent++) {
      const answered = request();
      answers.shift()?.();
      await answered;
    }
    await turn();
    collectGarbage();
    await turn();
    collectGarbage();

    // The last one may still be on the stack.
    expect(signals.filter((signal) => signal.deref() !== undefined).length).toBeLessThanOrEqual(2);
    expect(getEventListeners(closing.signal, 'abort')).toEqual([]);
  });

  it('end with the connection while they are open', () => {
    const { closing, signals, request } = connect();
    void request();
    closing.abort();

    expect(signals[0]?.deref()?.aborted).toBe(true);
  });

  it('are not sent after the connection has ended', async () => {
    const { closing, answers, request } = connect();
    closing.abort();

    await expect(request()).rejects.toThrow('aborted');
    expect(answers).toEqual([]);
  });
});

describe('the requests of a connection of the SDK', () => {
  const SERVICES = ['workflowService', 'operatorService'] as const;
  const ask = (connection: Connection, service: (typeof SERVICES)[number]): Promise<unknown> =>
    service === 'workflowService'
      ? connection.workflowService.listNamespaces({})
      : connection.operatorService.listSearchAttributes({});

  it.each(SERVICES)('end with it, and none is sent then: %s', async (service) => {
    const closing = new AbortController();
    // Nobody listens there, and the SDK tries again for a while.
    const connection = Connection.lazy({ address: '127.0.0.1:1' });
    endRequestsWith(closing.signal, connection);
    const open = ask(connection, service);
    closing.abort();

    await expect(open).rejects.toThrow('CANCELLED');
    await expect(ask(connection, service)).rejects.toThrow('aborted');
    await connection.close();
  });
});

describe('the calls of a connection', () => {
  it('are waited for', async () => {
    const calls = trackCalls();
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
