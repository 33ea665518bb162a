import { describe, expect, it } from '@jest/globals';

import { serveGateway } from '../../src/gateway/serve-gateway.js';
import { at, bearer, gatewayOf, startedPath, tokensOf } from '../support/gateway/gateway-world.js';
import { inScenario } from '../support/runs/scenario.js';
import { until } from '../support/timing/until.js';
import { holdTaskReads } from '../support/worlds/hold-task-reads.js';
const ID = '/v1/runs/provision-instance%2Fdefault%2Fno-such-order';

describe('open streams', () => {
  it('have a most for each token, and give their place back', () =>
    inScenario({}, async (scenario) => {
      const release = holdTaskReads(scenario.simulator);
      const app = gatewayOf(scenario, { streams: { total: 3, perCaller: 2 } });
      const path = await startedPath(scenario);
      const open = () => app.request(`${path}/events`);

      const heads = await Promise.all(
        [1, 2, 3].map(async () => app.request(`${path}/events`, { method: 'HEAD' })),
      );
      const [first] = [await open(), await open()];
      const refused = await open();
      const wait = await app.request(`${path}/result?wait=1s`);
      await first.body?.cancel();
      await until('the place is free', async () => (await open()).status === 200);

      expect(heads.map(({ status }) => status)).toEqual([200, 200, 200]);
      expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '10']);
      expect(wait.status).toBe(429);
      release();
    }));

  it('of callers that leave a long poll are given back', () =>
    inScenario({}, async (scenario) => {
      const release = holdTaskReads(scenario.simulator);
      const app = gatewayOf(scenario, { streams: { total: 1, perCaller: 1 } });
      const server = await serveGateway(app, { host: '127.0.0.1', port: 0 });
      const path = new URL(await startedPath(scenario)).pathname;
      const left = new AbortController();
      const wait = fetch(`${server.url}${path}/result?wait=50s`, { signal: left.signal });
      await until('the poll has its place', async () => {
        const other = await fetch(`${server.url}${path}/result?wait=1s`);
        return other.status === 429;
      });
      left.abort();

      await expect(wait).rejects.toThrow();
      await until('the place is free', async () => {
        const other = await fetch(`${server.url}${path}/result?wait=1s`);
        return other.status === 202;
      });
      release();
      await server.close();
    }));
});

describe('the rate limit', () => {
  it('counts each token for itself, and says when to come back', () =>
    inScenario({ replays: false }, async (scenario) => {
      const tokens = tokensOf({
        a: { name: 'a', scopes: ['read'] },
        b: { name: 'b', scopes: ['read'] },
      });
      const app = gatewayOf(scenario, { tokens, requestsPerSecond: 3 });
      const send = async (token: string) => app.request(at(ID), bearer(token));

      const answers = await Promise.all(Array.from({ length: 10 }, () => send('a')));
      const other = await send('b');
      const refused = answers.filter(({ status }) => status === 429);

      expect(refused).toHaveLength(7);
      expect(refused[0]?.headers.get('retry-after')).toBe('1');
      expect(other.status).toBe(404);
    }));
});
