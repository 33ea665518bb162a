import { setMaxListeners } from 'node:events';
import { performance } from 'node:perf_hooks';

import { describe, expect, it } from '@jest/globals';
import { CancelledFailure } from '@temporalio/common';

import {
  createRequestBudget,
  type BudgetCaller,
  type RequestBudgetOptions,
} from '../../../src/engine/http/request-budget.js';
import type { Pressure } from '../../../src/engine/http/learned-pace.js';
import { createApiClient } from '../../../src/activities/index.js';
import { taskIdsSchema } from '../../../src/contract/api/cloud.js';
import {
  createActivityEnvironment,
  failureIn,
  inActivity,
  thrownBy,
} from '../../support/http/in-activity.js';
import { json } from '../../support/http/scripted-api.js';

const { signal: cancelled } = new AbortController();
setMaxListeners(0, cancelled);
const usual = { cancelled };
const urgent = { ...usual, lane: 'urgent' } as const;

/** Clients of one account that share a budget. */
function createBudgetedApi(options: RequestBudgetOptions) {
  const sent: string[] = [];
  const budget = createRequestBudget(options);
  const createClient = () =>
    createApiClient({
      baseUrl: 'https://api.example.test',
      apiKey: 'canary-key$4711',
      budget,
      fetch: (input, init) => {
        sent.push(new Request(input, init).method);
        return Promise.resolve(json({ tasks: ['t-1'] }));
      },
    });
  const clients = [createClient(), createClient()] as const;
  const send = (method: 'GET' | 'POST', client = clients[0]) =>
    client.request({ method, path: '/x', response: taskIdsSchema, repeatable: method === 'GET' });
  return { sent, clients, send };
}

describe('a request budget', () => {
  it('sends the requests of half a second at once and the rest at its pace', async () => {
    const budget = createRequestBudget({ perSecond: 50 });
    const times: number[] = [];
    const start = performance.now();

    await Promise.all(
      Array.from({ length: 150 }, async () => {
        await budget.take(usual);
        times.push(performance.now());
      }),
    );

    // No request goes before its turn. On a busy machine several may go late, together.
    const early = times.filter((at, index) => at - start < Math.max(index - 25, 0) * 20 - 2);
    expect(early).toEqual([]);
    expect(times).toHaveLength(150);
    // Without the burst this request would go after half a second.
    expect((times[24] ?? Infinity) - start).toBeLessThan(450);
  });

  it('keeps to its share of the rate while several processes share it', async () => {
    let share = 0.5;
    const budget = createRequestBudget({ perSecond: 40, share: () => share });
    const take = (count: number) =>
      Promise.all(Array.from({ length: count }, () => budget.take(usual)));
    const secondsOf = async (act: () => Promise<unknown>): Promise<number> => {
      const start = performance.now();
      await act();
      return (performance.now() - start) / 1000;
    };

    // 10 go at once; the others at 20 a second.
    expect(await secondsOf(() => take(20))).toBeGreaterThanOrEqual(0.48);
    share = 0.25;
    expect(await secondsOf(() => take(5))).toBeGreaterThanOrEqual(0.48);
    expect(budget.pressure()).toMatchObject({ perSecond: 10, since: undefined });
    share = 1;
    expect(budget.pressure()).toMatchObject({ perSecond: 40, since: undefined });
  });

  it('lets a waiting call go as soon as its share allows', async () => {
    let share = 0.001;
    const budget = createRequestBudget({ perSecond: 10, burst: 1, share: () => share });
    await budget.take(usual);
    const begun = performance.now();
    const waiting = budget.take(usual);

    share = 1;
    await waiting;

    // With the first share it would wait for 100 s.
    expect(performance.now() - begun).toBeLessThan(20_000);
  });

  it('sends urgent requests before all waiting ones, at the same pace', async () => {
    const budget = createRequestBudget({ perSecond: 10 });
    const order: string[] = [];
    const take = async (name: string, caller: BudgetCaller): Promise<void> => {
      await budget.take(caller);
      order.push(name);
    };
    const start = performance.now();

    const bulk = Array.from({ length: 15 }, () => take('bulk', usual));
    await Promise.all([take('urgent', urgent), take('urgent', urgent), ...bulk]);

    expect(order.slice(5, 7)).toEqual(['urgent', 'urgent']);
    expect(order).toHaveLength(17);
    // Seven at once, because two of them are urgent. The others go when half of the burst has come back.
    expect(performance.now() - start).toBeGreaterThan(1_190);
  });

  it('keeps half of a burst for urgent requests while others wait for their pace', async () => {
    const budget = createRequestBudget({ perSecond: 4, burst: 10 });
    const bulk = Array.from({ length: 6 }, () => budget.take({ ...usual, lane: 'bulk' }));
    await bulk[4];
    const start = performance.now();

    await Promise.all(Array.from({ length: 5 }, () => budget.take(urgent)));

    // At its pace the fifth would go after 1.25 s.
    expect(performance.now() - start).toBeLessThan(600);
    await Promise.all(bulk);
  });

  it('gives bulk a tenth of the permits, however many urgent requests there are', async () => {
    const budget = createRequestBudget({ perSecond: 50, burst: 1 });
    let urgents = 0;
    let isOver = false;
    const flood = async (): Promise<void> => {
      while (!isOver) {
        await budget.take(urgent);
        urgents += 1;
      }
    };
    const floods = [flood(), flood(), flood()];

    for (let taken = 0; taken < 3; taken++) await budget.take({ ...usual, lane: 'bulk' });

    isOver = true;
    expect(urgents).toBeLessThanOrEqual(30);
    await Promise.all(floods);
  });

  it('sends single requests on a small budget', async () => {
    const budget = createRequestBudget({ perSecond: 0.1 });

    const first = await budget.take(usual);
    const second = await budget.take({ ...usual, patienceMs: 20 });

    expect(first).not.toHaveProperty('held');
    expect(second).toMatchObject({ held: true, failure: { type: 'RateLimited' } });
  });

  it('gets the permit of a call that was not sent back', async () => {
    const budget = createRequestBudget({ perSecond: 0.1 });
    const permit = await budget.take(usual);
    const next = budget.take(usual);

    if ('unused' in permit) permit.unused();

    expect(await next).not.toHaveProperty('held');
  });

  it('slows down after a 429, and says so once for each change of order', async () => {
    const told: Pressure[] = [];
    const budget = createRequestBudget({ perSecond: 200, onPace: (now) => told.push(now) });
    const sendTo = async (status: number): Promise<void> => {
      const permit = await budget.take(usual);
      if ('answered' in permit) permit.answered({ status });
    };
    const rates: number[] = [];
    for (let sent = 0; sent < 5; sent++) {
      await sendTo(429);
      rates.push(budget.pressure().perSecond);
    }

    expect(rates).toEqual([100, 50, 25, 12.5, 6.25]);
    expect(told.map(({ perSecond }) => perSecond)).toEqual([100, 25, 6.25]);
    for (let sent = 0; sent < 100; sent++) await sendTo(200);
    expect(told.at(-1)?.perSecond).toBe(200);
    expect(new Set(told.slice(0, -1).map(({ since }) => since)).size).toBe(1);
  });

  it('is not slowed down by an outage', async () => {
    const budget = createRequestBudget({ perSecond: 200 });
    const replies = [{ status: 503, retryAfterMs: 60_000 }, { status: 401 }, { status: 404 }];

    for (const reply of replies) {
      const permit = await budget.take(usual);
      if ('answered' in permit) permit.answered(reply);
    }

    expect(budget.pressure()).toEqual({
      perSecond: 200,
      limit: 200,
      since: undefined,
      waiting: 0,
    });
  });

  it('waits as long as the API asks for', async () => {
    const budget = createRequestBudget({ perSecond: 200 });
    const permit = await budget.take(usual);
    if ('answered' in permit) permit.answered({ status: 429, retryAfterMs: 300 });
    const begun = performance.now();

    await budget.take(urgent);

    expect(performance.now() - begun).toBeGreaterThan(290);
  });

  it('is shared by all clients of an account', async () => {
    const { clients, send, sent } = createBudgetedApi({ perSecond: 0.1, burst: 4 });
    await inActivity(() => send('GET', clients[0]));
    await inActivity(() => send('GET', clients[1]));
    const impatient = createActivityEnvironment({ startToCloseTimeoutMs: 17_050 });

    const failure = await failureIn(() => send('GET', clients[1]), impatient);

    expect(failure).toMatchObject({ type: 'RateLimited', nonRetryable: false });
    expect(failure.message).toMatch(
      /GET \/x was not sent: it has waited for 1 s; the request budget of this account is used up/,
    );
    expect(sent).toHaveLength(2);
  });

  it('ends a call that is cancelled while it waits, and sends nothing', async () => {
    const { send, sent } = createBudgetedApi({ perSecond: 0.5 });
    await inActivity(() => send('GET'));
    const environment = createActivityEnvironment();
    const begun = performance.now();
    const waiting = thrownBy(() => inActivity(() => send('GET'), environment));

    environment.cancel();
    const error = await waiting;

    expect(error).toBeInstanceOf(CancelledFailure);
    // Its turn would come after two seconds.
    expect(performance.now() - begun).toBeLessThan(1_900);
    expect(sent).toEqual(['GET']);
  });
});
