import { describe, expect, it } from '@jest/globals';
import { z } from 'zod';

import { createGcoreWorkflows, type GcoreWorkflows } from '../../src/client/index.js';
import type { Operation } from '../../src/contract/index.js';
import { Scope, type Caller } from '../../src/tokens/token-file.js';
import {
  at,
  bodyOf,
  gatewayOf,
  gcoreOf,
  post,
  tokensOf,
} from '../support/gateway/gateway-world.js';
import { replaceInput } from '../support/operations/replace-instance.js';
import { until } from '../support/timing/until.js';
import { instanceIdOf, stateWithInstances } from '../support/worlds/instances.js';
import { inScenario, type Scenario } from '../simulation/scenario.js';

const STATE = stateWithInstances([{ of: 1 }, { of: 2 }]);
const items = [1, 2].map((of) => ({
  requestId: `night-${of}`,
  instanceId: instanceIdOf(of),
  action: 'stop',
}));

/** By what each may use. */
const TOKENS: Readonly<Record<string, readonly Operation[]>> = {
  batch: ['runBatch'],
  inner: ['setInstancePower'],
  other: ['runBatch', 'deleteInstance'],
  both: ['runBatch', 'setInstancePower'],
};

function limitedGateway(
  scenario: Scenario,
  callers: Readonly<Record<string, readonly Operation[]>>,
  gcore = gcoreOf(scenario),
) {
  const scopes = Object.values(Scope);
  const named = Object.entries(callers).map(([name, operations]): [string, Caller] => [
    name,
    { name, scopes, operations },
  ]);
  const limited: Record<string, Caller> = Object.fromEntries(named);
  const tokens = tokensOf({ ...limited, all: { name: 'all', scopes } });
  const app = gatewayOf(scenario, { tokens, gcore });
  const ask = (token: string, path: string, init: RequestInit = {}) => {
    const headers = new Headers(init.headers);
    headers.set('Authorization', `Bearer ${token}`);
    return app.request(at(path), { ...init, headers });
  };
  const cookieOf = async (token: string): Promise<string> => {
    const form = { method: 'POST', body: new URLSearchParams({ token }) };
    const { headers } = await app.request(at('/sign-in'), form);
    return headers.get('set-cookie')?.split(';')[0] ?? '';
  };
  return { app, ask, cookieOf };
}

/** Every route that is about one run, as it is served. */
function routesOfRuns({ routes }: ReturnType<typeof gatewayOf>, start: string): [string, string][] {
  const served = routes.filter(({ method, path }) => method !== 'ALL' && path.startsWith(start));
  const named = served.map(({ method, path }) => `${method} ${path.replace(':action', 'abort')}`);
  return [...new Set(named)].map((route) => {
    const [method = '', path = ''] = route.split(' ');
    return [method, path];
  });
}

const pageSchema = z.object({
  runs: z.array(z.object({ workflowId: z.string(), runId: z.string() })),
  next: z.string().optional(),
});

const bodyFor = (path: string) => (path.endsWith('/extend') ? { holdFor: '1 hour' } : {});

describe('a batch', () => {
  it('exists only for a token that may use it and the operation of its items', () =>
    inScenario({ state: STATE }, async (scenario) => {
      const { account } = scenario;
      const { app, ask, cookieOf } = limitedGateway(scenario, TOKENS);
      const begun = post({ items, account }, { 'Idempotency-Key': 'night' });
      const { headers } = await ask('all', '/v1/batches/setInstancePower', begun);
      const id = (headers.get('location') ?? '').split('/').at(-1) ?? '';
      await ask('all', `/v1/runs/${id}/result?wait=50s`);
      const listed = async (token: string) => {
        const answer = await ask(token, `/v1/runs?account=${account}&operation=runBatch`);
        return { status: answer.status, text: JSON.stringify(await bodyOf(answer)) };
      };
      await until('it is listed', async () => (await listed('all')).text.includes('night'));
      const routes = routesOfRuns(app, '/v1/runs/:id');
      const pages = routesOfRuns(app, '/runs/:id');
      const seen: string[] = [];

      for (const token of ['batch', 'inner', 'other'])
        for (const [method, route] of routes) {
          const path = route.replace(':id', id);
          const init = method === 'POST' ? post(bodyFor(path)) : {};
          const { status } = await ask(token, path, init);
          if (status !== 404) seen.push(`${token}: ${method} ${route} ${status}`);
        }
      for (const token of ['batch', 'inner', 'other']) {
        const headers = { cookie: await cookieOf(token) };
        for (const [method, route] of pages.filter(([way]) => way === 'GET')) {
          const { status } = await app.request(at(route.replace(':id', id)), { method, headers });
          if (status !== 404) seen.push(`${token}: page ${route} ${status}`);
        }
        const page = await app.request(at('/runs'), { headers });
        if ((await page.text()).includes('run-batch%2F'))
          seen.push(`${token}: the page of the list`);
      }

      expect(seen).toEqual([]);
      expect([routes.length, pages.length]).toEqual([12, 10]);
      expect((await listed('batch')).text).toContain('"runs":[]');
      expect((await listed('other')).text).toContain('"runs":[]');
      expect((await listed('inner')).status).toBe(403);
      expect((await listed('both')).text).toContain('"batchOf":"setInstancePower"');
      expect((await ask('both', `/v1/runs/${id}/report`)).status).toBe(200);
    }));

  it('is stopped and corrected by no token that may not use the operation of its items', () =>
    inScenario({ state: STATE }, async (scenario) => {
      const { account } = scenario;
      const { ask } = limitedGateway(scenario, TOKENS);
      const whole = { operation: 'setInstancePower', items, account };
      const { headers } = await ask(
        'all',
        '/v1/runs/runBatch',
        post(whole, { 'Idempotency-Key': 'night' }),
      );
      const path = headers.get('location') ?? '';
      const other = {
        operation: 'deleteInstance',
        items: [{ instanceId: instanceIdOf(1) }],
        account,
      };

      const answers = await Promise.all([
        ask('other', `${path}/abort`, post({})),
        ask('other', `${path}/resume`, post({ input: other })),
        ask('both', `${path}/resume`, post({ input: other })),
      ]);

      expect(answers.map(({ status }) => status)).toEqual([404, 404, 403]);
      expect((await ask('all', `${path}/result?wait=50s`)).status).toBe(200);
    }));
});

describe('the request of a batch', () => {
  it('is joined by no token that may not use the operation of its items', () =>
    inScenario({ state: STATE }, async (scenario) => {
      const { account } = scenario;
      const { ask } = limitedGateway(scenario, TOKENS);
      const key = { 'Idempotency-Key': 'night' };
      const first = await ask('all', '/v1/batches/setInstancePower', post({ items, account }, key));
      const gone = {
        ...{ requestId: 'gone', instanceId: instanceIdOf(1) },
        ...{ volumes: 'keep', floatingIps: 'keep' },
      };
      const other = post({ items: [gone], account }, key);
      const again = post({ items, account }, key);

      const joined = [
        await ask('other', '/v1/batches/deleteInstance?onConflict=join', other),
        await ask('both', '/v1/batches/setInstancePower?onConflict=join', again),
      ];

      expect(joined.map(({ status }) => status)).toEqual([403, 202]);
      expect(JSON.stringify(await bodyOf(joined[0] ?? first))).not.toContain('runId');
      await ask('all', `${first.headers.get('location') ?? ''}/result?wait=50s`);
    }));
});

describe('a batch that begins while another token looks for it', () => {
  it('is not joined by that', () =>
    inScenario({ state: STATE }, async (scenario) => {
      const { account } = scenario;
      const gcore = gcoreOf(scenario);
      const hidden = { operation: 'setInstancePower', items, account } as const;
      const racing = (acting: GcoreWorkflows): GcoreWorkflows => ({
        ...acting,
        as: (identity) => racing(acting.as(identity)),
        async start(operation, request) {
          await gcore.start('runBatch', { requestId: 'night', input: hidden });
          return acting.start(operation, request);
        },
      });
      const { ask } = limitedGateway(scenario, TOKENS, racing(gcore));
      const gone = {
        ...{ requestId: 'gone', instanceId: instanceIdOf(1) },
        ...{ volumes: 'keep', floatingIps: 'keep' },
      };
      const asked = post({ items: [gone], account }, { 'Idempotency-Key': 'night' });

      const answer = await ask('other', '/v1/batches/deleteInstance?onConflict=join', asked);

      expect([answer.status, await bodyOf(answer)]).toMatchObject([403, { code: 'Forbidden' }]);
      await gcore.result('runBatch', `run-batch/${account}/night`);
    }));
});

describe('the plan of a batch', () => {
  it('exists only for a token that may use the batch and the operation of its items', () =>
    inScenario({ state: STATE }, async (scenario) => {
      const { account, client } = scenario;
      const { ask } = limitedGateway(scenario, TOKENS);
      const body = { operation: 'setInstancePower', items, account };
      const asked = post(body, { 'Idempotency-Key': 'night' });
      expect((await ask('both', '/v1/plans/runBatch', asked)).status).toBe(200);
      const query = `WorkflowId STARTS_WITH "plan/run-batch/${account}/night"`;
      const ids: string[] = [];
      await until('it is listed', async () => {
        for await (const { workflowId } of client.workflow.list({ query })) ids.push(workflowId);
        return ids.length > 0;
      });
      const path = `/v1/runs/${encodeURIComponent(ids[0] ?? '')}/result`;

      const statuses = ['batch', 'inner', 'other', 'both'].map(
        async (token) => (await ask(token, path)).status,
      );

      expect(await Promise.all(statuses)).toEqual([404, 404, 404, 200]);
    }));
});

describe('a plan of a batch that no worker has taken yet', () => {
  it('exists for a token that may use both', () =>
    inScenario({ replays: false }, async (scenario) => {
      const { account } = scenario;
      const gcore = createGcoreWorkflows({ ...scenario, taskQueue: 'nobody-polls' });
      const { ask } = limitedGateway(scenario, TOKENS);
      const input = { operation: 'setInstancePower', items, account } as const;
      const { workflowId } = await gcore.startPlan('runBatch', { input });
      const path = `/v1/runs/${encodeURIComponent(workflowId)}`;

      const statuses = ['other', 'both'].map(async (token) => (await ask(token, path)).status);

      // Only a worker knows more of it.
      expect(await Promise.all(statuses)).toEqual([404, 503]);
      await scenario.client.workflow.getHandle(workflowId).terminate();
    }));
});

describe('an earlier run under the same Workflow Id', () => {
  it('has a result only for a token that may use it too', () =>
    inScenario({ state: STATE }, async (scenario) => {
      const { account, client, taskQueue } = scenario;
      const { ask } = limitedGateway(scenario, TOKENS);
      const its = { workflowId: 'nightly', taskQueue };
      const batch = (operation: Operation, inner: readonly object[]) =>
        client.workflow.start('runBatch', { ...its, args: [{ operation, items: inner, account }] });
      const first = await batch('setInstancePower', items);
      await first.result();
      const gone = {
        ...{ requestId: 'gone', instanceId: instanceIdOf(1) },
        ...{ volumes: 'keep', floatingIps: 'keep' },
      };
      await (await batch('deleteInstance', [gone])).result();
      const path = '/v1/runs/nightly/result';

      const statusOf = async (token: string, query = '') =>
        (await ask(token, `${path}${query}`)).status;

      expect(await statusOf('other')).toBe(200);
      const named = `?runId=${first.firstExecutionRunId}`;
      expect([await statusOf('other', named), await statusOf('all', named)]).toEqual([404, 200]);
    }));
});

describe('the part of a run', () => {
  it('does not exist for a token that may use the part alone', () =>
    inScenario({ state: STATE }, async (scenario) => {
      const { ask } = limitedGateway(scenario, {
        part: ['provisionInstance', 'moveFloatingIp', 'deleteInstance'],
        whole: ['replaceInstance'],
        both: ['replaceInstance', 'provisionInstance', 'moveFloatingIp', 'deleteInstance'],
      });
      const run = await scenario.start('replaceInstance', replaceInput());
      await run.result();
      const parts: string[] = [];
      const query = `WorkflowId STARTS_WITH "${run.workflowId}/"`;
      await until('its parts are listed', async () => {
        parts.length = 0;
        for await (const part of scenario.client.workflow.list({ query }))
          parts.push(part.workflowId);
        return parts.length > 1;
      });

      for (const part of parts) {
        const path = `/v1/runs/${encodeURIComponent(part)}`;
        // Nobody can tell from a Workflow Id that a caller has chosen which operation the whole is.
        const statuses = ['part', 'whole', 'both', 'all'].map(
          async (token) => (await ask(token, path)).status,
        );
        expect([part, ...(await Promise.all(statuses))]).toEqual([part, 404, 404, 404, 200]);
      }
    }));
});

describe('the part of a run that was started again by itself', () => {
  it('does not exist for a token that may use the part alone', () =>
    inScenario({ replays: false }, async (scenario) => {
      const { account, client } = scenario;
      const { ask } = limitedGateway(scenario, {
        part: ['deleteInstance'],
        both: ['replaceInstance', 'deleteInstance'],
      });
      // The server names no parent of it any more.
      const workflowId = `replace-instance/${account}/web/delete`;
      const input = { instanceId: instanceIdOf(1), account };
      const its = { workflowId, taskQueue: 'nobody-polls' };
      const run = await client.workflow.start('deleteInstance', { ...its, args: [input] });
      const path = `/v1/runs/${encodeURIComponent(workflowId)}/cancel`;

      const statuses = [await ask('part', path, post({})), await ask('both', path, post({}))];

      expect(statuses.map(({ status }) => status)).toEqual([404, 202]);
      await run.terminate();
    }));
});

describe('the pages of a list', () => {
  it('tell a token of no run that it may not see, nor that there are any', () =>
    inScenario({ state: STATE }, async (scenario) => {
      const { account } = scenario;
      const { ask } = limitedGateway(scenario, TOKENS);
      const gone = [1, 2].map((of) => ({
        ...{ requestId: `gone-${of}`, instanceId: instanceIdOf(of) },
        ...{ volumes: 'keep', floatingIps: 'keep' },
      }));
      const start = async (operation: string, list: readonly object[], key: string) => {
        const asked = post({ items: list, account }, { 'Idempotency-Key': key });
        const { headers } = await ask('all', `/v1/batches/${operation}`, asked);
        await ask('all', `${headers.get('location') ?? ''}/result?wait=50s`);
      };
      const page = async (token: string, query: string) => {
        const answer = await ask(token, `/v1/runs?account=${account}&operation=runBatch&${query}`);
        return pageSchema.parse(await bodyOf(answer));
      };
      for (const key of ['night-1', 'night-2']) await start('setInstancePower', items, key);
      await start('deleteInstance', gone, 'end-1');
      for (const key of ['night-3', 'night-4']) await start('setInstancePower', items, key);
      await until('all are listed', async () => (await page('all', '')).runs.length === 5);

      const hidden = await page('other', 'search=night&limit=1');
      const first = await page('other', 'limit=4');
      const last = await page('other', `limit=4&page=${first.next ?? ''}`);
      const [own] = first.runs;

      expect(hidden).toEqual({ runs: [] });
      expect(first.runs).toMatchObject([{ workflowId: `run-batch/${account}/end-1` }]);
      expect(Buffer.from(first.next ?? '', 'base64url').toString('latin1')).toContain(own?.runId);
      expect(last).toEqual({ runs: [] });
    }));
});

describe('the labels of a list', () => {
  it('are refused when one is named twice: no run has two values of it', () =>
    inScenario({}, async (scenario) => {
      const answer = await gatewayOf(scenario).request(at('/v1/runs?label=team=a,team=b'));

      expect([answer.status, await bodyOf(answer)]).toMatchObject([
        400,
        { faults: [{ parameter: 'label', message: expect.stringContaining('twice') }] },
      ]);
    }));
});
