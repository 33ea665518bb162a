import { performance } from 'node:perf_hooks';

import { describe, expect, it } from '@jest/globals';
import { CancelledFailure } from '@temporalio/common';

import {
  createRequestBudget,
  type RequestBudgetOptions,
} from '../../../src/activities/http/request-budget.js';
import { createApiClient } from '../../../src/activities/index.js';
import { taskIdsSchema } from '../../../src/contract/api/common.js';
import {
  createActivityEnvironment,
  failureIn,
  inActivity,
  thrownBy,
} from '../../support/http/in-activity.js';
import { json } from '../../support/http/scripted-api.js';

const usual = { cancelled: new AbortController().signal };
const urgent = { ...usual, urgent: true };

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
  it('sends the requests of one second at once and the rest at its pace', async () => {
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
    const early = times.filter((at, index) => at - start < Math.max(index - 50, 0) * 20 - 2);
    expect(early).toEqual([]);
    expect(times).toHaveLength(150);
    // Without the burst the fiftieth request would go after a second.
    expect((times[49] ?? Infinity) - start).toBeLessThan(900);
  });

  it('sends urgent requests before all waiting ones, at the same pace', async () => {
    const budget = createRequestBudget({ perSecond: 10 });
    const order: string[] = [];
    const take = async (name: string, caller: typeof usual): Promise<void> => {
      await budget.take(caller);
      order.push(name);
    };
    const start = performance.now();

    const bulk = Array.from({ length: 15 }, () => take('bulk', usual));
    await Promise.all([take('urgent', urgent), take('urgent', urgent), ...bulk]);

    expect(order.slice(10, 12)).toEqual(['urgent', 'urgent']);
    expect(order).toHaveLength(17);
    // Ten at once, and seven a tenth of a second apart.
    expect(performance.now() - start).toBeGreaterThan(690);
  });

  it('refuses a request that urgent ones delay for too long', async () => {
    const budget = createRequestBudget({ perSecond: 10, maxWaitMs: 200 });
    await Promise.all(Array.from({ length: 10 }, () => budget.take(usual)));

    const bulk = budget.take(usual);
    const flood = async (): Promise<void> => {
      for (let taken = 0; taken < 20; taken++) await budget.take(urgent);
    };
    const [held] = await Promise.all([bulk, flood(), flood()]);

    expect(held?.failure).toMatchObject({ type: 'RateLimited' });
  });

  it('sends single requests on a small budget', async () => {
    const budget = createRequestBudget({ perSecond: 0.1 });

    const first = await budget.take(usual);
    const second = await budget.take(usual);

    expect(first).toBeUndefined();
    expect(second?.failure.retryAfterMs).toBeGreaterThan(9_900);
  });

  it('is shared by all clients of an account', async () => {
    const { clients, send, sent } = createBudgetedApi({ perSecond: 0.1, burst: 2 });
    await inActivity(() => send('GET', clients[0]));
    await inActivity(() => send('GET', clients[1]));

    const failure = await failureIn(() => send('GET', clients[1]));

    expect(failure.type).toBe('RateLimited');
    expect(sent).toHaveLength(2);
  });

  it.each(['GET', 'POST'] as const)(
    'refuses a %s that would wait too long immediately, as not sent',
    async (method) => {
      const { send, sent } = createBudgetedApi({ perSecond: 0.1 });
      await inActivity(() => send('GET'));
      const begun = performance.now();

      const failure = await failureIn(() => send(method));

      // Without waiting the ten seconds until its turn.
      expect(performance.now() - begun).toBeLessThan(5_000);
      expect(sent).toEqual(['GET']);
      expect(failure).toMatchObject({ type: 'RateLimited', nonRetryable: false });
      expect(failure.message).toContain(
        `${method} /x was not sent: the request budget of this account is used up for 10 s`,
      );
      expect(failure.nextRetryDelay).toBeGreaterThan(9_000);
      expect(failure.nextRetryDelay).toBeLessThanOrEqual(12_000);
    },
  );

  it('does not count a refused call', async () => {
    const budget = createRequestBudget({ perSecond: 1, maxWaitMs: 500 });
    await budget.take(usual);
    const waits: (number | undefined)[] = [];
    for (let i = 0; i < 20; i++) waits.push((await budget.take(usual))?.failure.retryAfterMs);

    const longest = Math.max(...waits.map((ms) => ms ?? Number.NaN));

    expect(longest).toBeLessThanOrEqual(1_200);
  });

  it('ends a call that is cancelled while it waits, and sends nothing', async () => {
    const { send, sent } = createBudgetedApi({ perSecond: 0.5 });
    await inActivity(() => send('GET'));
    const environment = createActivityEnvironment();
    const begun = performance.now();
    const waiting = thrownBy(() => inActivity(() => send('POST'), environment));

    environment.cancel();
    const error = await waiting;

    expect(error).toBeInstanceOf(CancelledFailure);
    // Its turn would come after two seconds.
    expect(performance.now() - begun).toBeLessThan(1_900);
    expect(sent).toEqual(['GET']);
  });
});
