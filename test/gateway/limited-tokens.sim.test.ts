import { describe, expect, it } from '@jest/globals';

import type { GcoreWorkflows } from '../../src/client/index.js';
import { statusQuery } from '../../src/engine/core/messages.js';
import {
  at,
  bodyOf,
  gatewayOf,
  gcoreOf,
  post,
  tokensOf,
} from '../support/gateway/gateway-world.js';
import { inScenario, type Scenario } from '../simulation/scenario.js';
import { holdTaskReads } from '../support/worlds/hold-task-reads.js';
import { provisionInput } from '../support/inputs/provision-input.js';
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

  it.each(['nightly', 'orders/default/17'])(
    'sees and stops no run under the id of a caller (%s) before anybody knows its account',
    (workflowId) =>
      inScenario({}, async (scenario) => {
        const { client } = scenario;
        const scopes = ['read', 'operate', 'run'] as const;
        const tokens = tokensOf({
          own: { name: 'own', scopes, accounts: ['default'] },
          all: { name: 'all', scopes },
        });
        const app = gatewayOf(scenario, { tokens });
        const its = { workflowId, taskQueue: 'nobody-polls' };
        const input = { ...provisionInput(), account: 'elsewhere' };
        const run = await client.workflow.start('provisionInstance', { ...its, args: [input] });
        const ask = (token: string, path: string, method = 'GET') =>
          app.request(at(path), { method, headers: { Authorization: `Bearer ${token}` } });
        const path = `/v1/runs/${encodeURIComponent(workflowId)}`;
        const listed = async (token: string) => (await ask(token, '/v1/runs?open=true')).text();
        await until('it is listed', async () => (await listed('all')).includes(workflowId));

        const refused = await Promise.all([
          ask('own', path),
          ask('own', `${path}/explanation`),
          ask('own', `${path}/cancel`, 'POST'),
          ask('own', `${path}/retry`, 'POST'),
        ]);

        expect(refused.map(({ status }) => status)).toEqual([404, 404, 404, 404]);
        expect(await listed('own')).toContain('"runs":[]');
        expect((await ask('all', `${path}/explanation`)).status).toBe(200);
        await run.terminate();
      }),
  );
});

describe('a token that is limited to an operation', () => {
  /** A run that the token may see, which was just read, and one that it may not see under the same Workflow Id. */
  async function sawOther(scenario: Scenario) {
    const { client, taskQueue, account, simulator } = scenario;
    const tokens = tokensOf({
      keys: { name: 'keys', scopes: ['read', 'operate', 'run'], operations: ['listSshKeys'] },
    });
    const app = gatewayOf(scenario, { tokens });
    const headers = { Authorization: 'Bearer keys' };
    const ask = (path: string, method = 'GET') =>
      app.request(at(`/v1/runs/nightly${path}`), { method, headers });
    const its = { workflowId: 'nightly', taskQueue };
    await client.workflow.execute('listSshKeys', { ...its, args: [{ account }] });
    expect((await ask('')).status).toBe(200);
    const release = holdTaskReads(simulator);
    const input = { ...provisionInput(), account };
    const other = await client.workflow.start('provisionInstance', { ...its, args: [input] });
    return { ask, other, release };
  }

  it('asks no other run that has taken the Workflow Id meanwhile', () =>
    inScenario({}, async (scenario) => {
      const { ask, other, release } = await sawOther(scenario);

      const paused = await ask('/pause', 'POST');

      expect(paused.status).toBe(404);
      expect(await other.query(statusQuery)).not.toMatchObject({ phase: 'paused' });
      release();
      await other.result();
    }));

  it('starts no other run again', () =>
    inScenario({}, async (scenario) => {
      const { ask, other, release } = await sawOther(scenario);
      await other.terminate();

      const retried = await ask('/retry', 'POST');

      expect(retried.status).toBe(404);
      release();
    }));

  it.each(['/result', '/explanation'])('reads nothing of another run by %s', (path) =>
    inScenario({}, async (scenario) => {
      const { ask, other, release } = await sawOther(scenario);
      release();

      const answer = await ask(path);

      expect(answer.status).toBe(404);
      await other.result();
    }),
  );
});

describe('a run that a limited token may not see', () => {
  it('is asked for no longer than one that does not exist', () =>
    inScenario({}, async (scenario) => {
      const asked: string[] = [];
      const gcore = gcoreOf(scenario);
      const noting: GcoreWorkflows = {
        ...gcore,
        summary: (...args) => {
          asked.push('the server');
          return gcore.summary(...args);
        },
        status: (...args) => {
          asked.push('a worker');
          return gcore.status(...args);
        },
      };
      const scopes = ['read', 'operate', 'run'] as const;
      const tokens = tokensOf({
        all: { name: 'all', scopes },
        limited: { name: 'limited', scopes, operations: ['deleteInstance'] },
        elsewhere: { name: 'elsewhere', scopes, accounts: ['elsewhere'] },
      });
      const app = gatewayOf(scenario, { tokens, gcore: noting });
      const run = await scenario.start('listSshKeys', {});
      await run.result();
      const ask = async (token: string, workflowId: string) => {
        const headers = { Authorization: `Bearer ${token}` };
        const path = at(`/v1/runs/${encodeURIComponent(workflowId)}`);
        asked.length = 0;
        return [(await app.request(path, { headers })).status, ...asked];
      };

      const alone = await ask('limited', run.workflowId);
      // The view is known then.
      await ask('all', run.workflowId);
      const beside = await ask('elsewhere', run.workflowId);
      const missing = await ask('limited', `${run.workflowId}-0`);

      expect(missing).toEqual([404, 'the server']);
      expect([alone, beside]).toEqual([missing, missing]);
    }));
});
