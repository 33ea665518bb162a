import { describe, expect, it } from '@jest/globals';

import { at, bodyOf, gatewayOf, post, tokensOf } from '../support/gateway/gateway-world.js';
import { inScenario } from '../simulation/scenario.js';
import { until } from '../support/timing/until.js';
describe('a token that is limited to an account', () => {
  it('starts, plans, reads, stops and lists no run of another one', () =>
    inScenario({}, async (scenario) => {
      const { account } = scenario;
      const scopes = ['read', 'run', 'operate'] as const;
      const tokens = tokensOf({
        own: { name: 'own', scopes, accounts: [account] },
        other: { name: 'other', scopes, accounts: ['elsewhere'] },
      });
      const app = gatewayOf(scenario, { tokens });
      const as = (token: string) => ({ Authorization: `Bearer ${token}` });
      const start = (token: string, body: object) =>
        app.request(
          at('/v1/runs/listSshKeys'),
          post(body, { ...as(token), 'Idempotency-Key': 'a' }),
        );
      const started = await start('own', { account });
      const path = at(started.headers.get('location') ?? '');
      const listed = async (token: string, query = '') => {
        const answer = await app.request(at(`/v1/runs${query}`), { headers: as(token) });
        return { status: answer.status, text: JSON.stringify(await bodyOf(answer)) };
      };
      await app.request(`${path}/result?wait=50s`, { headers: as('own') });
      await until('it is listed', async () => (await listed('own')).text.includes(account));

      const refused = await Promise.all([
        start('other', { account }),
        // No account is the one that is called "default".
        start('other', {}),
        app.request(at('/v1/plans/listSshKeys'), post({ account }, as('other'))),
        app.request(path, { headers: as('other') }),
        app.request(`${path}/result`, { headers: as('other') }),
        app.request(`${path}/abort`, { method: 'POST', headers: as('other') }),
      ]);

      expect(started.status).toBe(202);
      expect(refused.map(({ status }) => status)).toEqual([403, 403, 403, 404, 404, 404]);
      expect((await listed('other', `?account=${account}`)).status).toBe(403);
      expect((await listed('other')).text).not.toContain(account);
    }));
});
