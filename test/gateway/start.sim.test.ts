import { randomUUID } from 'node:crypto';

import { describe, expect, it } from '@jest/globals';

import {
  at,
  bodyOf,
  gatewayOf,
  gcoreOf,
  post,
  tokensOf,
} from '../support/gateway/gateway-world.js';
import { provisionInput } from '../support/inputs/provision-input.js';
import { inScenario } from '../simulation/scenario.js';
import { holdTaskReads } from '../support/worlds/hold-task-reads.js';
import { until } from '../support/timing/until.js';
const START = at('/v1/runs/provisionInstance');
const keyed = (key: string) => ({ 'Idempotency-Key': key });

const FAILED = { phase: 'failed' };

describe('POST /v1/runs/{operation}', () => {
  it('starts a run, and gives the same run to the same key and body at every gateway', () =>
    inScenario({}, async (scenario) => {
      const [one, other] = [gatewayOf(scenario), gatewayOf(scenario)];
      const key = `order-${randomUUID()}`;
      const body = { ...provisionInput(), account: scenario.account };
      const workflowId = `provision-instance/${scenario.account}/${key}`;

      const answers = await Promise.all(
        Array.from({ length: 20 }, async (_, index) =>
          (index % 2 === 0 ? one : other).request(START, post(body, keyed(key))),
        ),
      );

      expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([202]));
      const texts = await Promise.all(answers.map((answer) => answer.text()));
      expect(texts.filter((text) => text.includes('"outcome":"started"'))).toHaveLength(1);
      const location = `/v1/runs/${encodeURIComponent(workflowId)}`;
      expect(new Set(answers.map(({ headers }) => headers.get('location')))).toEqual(
        new Set([location]),
      );
      const result = await other.request(at(`${location}/result?wait=50s`));
      expect([result.status, await bodyOf(result)]).toEqual([
        200,
        expect.objectContaining({ name: 'web-1', status: 'ACTIVE' }),
      ]);
      expect(scenario.simulator.inventory().instances).toHaveLength(1);
    }));

  it('refuses the same key with another body, and names the first difference', () =>
    inScenario({}, async (scenario) => {
      const app = gatewayOf(scenario);
      const release = holdTaskReads(scenario.simulator);
      const key = `order-${randomUUID()}`;
      const body = { ...provisionInput(), account: scenario.account };
      const first = await app.request(START, post(body, keyed(key)));
      const changed = {
        ...provisionInput({ flavor: 'g2-standard-4-8' }),
        account: scenario.account,
      };

      const answer = await app.request(START, post(changed, keyed(key)));
      const joined = await app.request(`${START}?onConflict=join`, post(changed, keyed(key)));

      expect(first.status).toBe(202);
      expect(answer.status).toBe(409);
      expect(answer.headers.get('content-type')).toBe('application/problem+json');
      expect(await bodyOf(answer)).toMatchObject({
        type: 'urn:gcore-workflows:problem:RequestConflict',
        status: 409,
        detail: expect.stringContaining('The first difference is at /instance/flavor.'),
        faults: [{ pointer: '/instance/flavor', message: 'differs' }],
        requestId: answer.headers.get('x-request-id'),
      });
      expect(await bodyOf(joined)).toMatchObject({ outcome: 'joined' });
      release();
      await gcoreOf(scenario).result(
        'provisionInstance',
        `provision-instance/${scenario.account}/${key}`,
      );
    }));

  it('answers for a run that failed with its failure, and starts the request again', () =>
    inScenario({}, async (scenario) => {
      scenario.simulator.faults.add({
        match: { method: 'POST', path: '/cloud/v2/instances/1/1' },
        action: { kind: 'task-error', error: 'no luck' },
      });
      const app = gatewayOf(scenario);
      const request = () =>
        post({ ...provisionInput(), account: scenario.account }, keyed('order-1'));
      const { headers } = await app.request(START, request());
      const path = headers.get('location') ?? '';

      const answer = await app.request(at(`${path}/result?wait=50s`));
      const again = await app.request(START, request());

      expect(answer.status).toBe(422);
      expect(await bodyOf(answer)).toMatchObject({
        code: 'TaskFailed',
        detail: expect.stringContaining('no luck'),
        advice: expect.any(String),
        failure: { operation: 'provisionInstance' },
      });
      expect(await bodyOf(again)).toMatchObject({ outcome: 'started' });
      expect((await app.request(at(`${path}/result?wait=50s`))).status).toBe(200);
    }));

  it('is followed by no answer about the run before, at no gateway', () =>
    inScenario({}, async (scenario) => {
      scenario.simulator.faults.add({
        match: { method: 'POST', path: '/cloud/v2/instances/1/1' },
        action: { kind: 'task-error', error: 'no luck' },
      });
      const [app, other] = [gatewayOf(scenario), gatewayOf(scenario)];
      const request = () =>
        post({ ...provisionInput(), account: scenario.account }, keyed('order-1'));
      const { headers } = await app.request(START, request());
      const path = at(headers.get('location') ?? '');
      await app.request(`${path}/result?wait=50s`);
      const seen = await Promise.all([app.request(path), other.request(path)]);
      await app.request(START, request());

      const status = await app.request(path);
      const results = await Promise.all(
        [app, other].map(async (gateway) => gateway.request(`${path}/result?wait=50s`)),
      );

      expect(await Promise.all(seen.map(bodyOf))).toMatchObject([FAILED, FAILED]);
      expect(await bodyOf(status)).not.toMatchObject(FAILED);
      expect(results.map((answer) => answer.status)).toEqual([200, 200]);
    }));
});

describe('a run', () => {
  it('has a status with an ETag, an explanation, and no other body for the same tag', () =>
    inScenario({}, async (scenario) => {
      const app = gatewayOf(scenario);
      const release = holdTaskReads(scenario.simulator);
      const body = { ...provisionInput(), account: scenario.account };
      const { headers } = await app.request(START, post(body, keyed('order-1')));
      const path = at(headers.get('location') ?? '');
      let status = await app.request(path);
      let tag = '';
      let same = status;
      await until('the run waits, so that its status stays', async () => {
        status = await app.request(path);
        tag = status.headers.get('etag') ?? '';
        const isWaiting = JSON.stringify(await bodyOf(status)).includes('"phase":"waiting"');
        same = await app.request(path, { headers: { 'If-None-Match': tag } });
        return isWaiting && same.status === 304;
      });

      const explained = await app.request(`${path}/explanation`);
      const waited = await app.request(`${path}/result?wait=1s`);

      expect([same.status, same.headers.get('etag'), await same.text()]).toEqual([304, tag, '']);
      expect(await bodyOf(explained)).toMatchObject({ paragraph: expect.any(String) });
      expect([waited.status, await bodyOf(waited)]).toEqual([
        202,
        expect.objectContaining({ operation: 'provisionInstance', state: 'RUNNING' }),
      ]);
      const paused = await app.request(`${path}/pause`, { method: 'POST' });
      expect([paused.status, await bodyOf(paused)]).toEqual([
        200,
        expect.objectContaining({ phase: 'paused' }),
      ]);
      const resumed = await app.request(`${path}/resume`, post({}));
      expect(resumed.status).toBe(200);
      const refused = await app.request(`${path}/restore`, { method: 'POST' });
      expect([refused.status, await bodyOf(refused)]).toEqual([
        409,
        expect.objectContaining({ code: 'Refused' }),
      ]);
      const cancelled = await app.request(`${path}/cancel`, { method: 'POST' });
      expect(cancelled.status).toBe(202);
      release();
      const end = await app.request(`${path}/result?wait=50s`);
      expect([end.status, await bodyOf(end)]).toEqual([
        422,
        expect.objectContaining({ code: 'Cancelled' }),
      ]);
      const late = await app.request(`${path}/abort`, post({ reason: 'late' }));
      expect([late.status, await bodyOf(late)]).toEqual([
        409,
        expect.objectContaining({ code: 'RunEnded' }),
      ]);
    }));

  it('of another operation does not exist for a token that is limited', () =>
    inScenario({}, async (scenario) => {
      const scopes = ['read', 'run', 'operate'] as const;
      const tokens = tokensOf({
        all: { name: 'all', scopes },
        keys: { name: 'keys', scopes, operations: ['listSshKeys'] },
        reader: { name: 'reader', scopes: ['read'] },
      });
      const app = gatewayOf(scenario, { tokens });
      const as = (token: string) => ({ Authorization: `Bearer ${token}` });
      const body = { account: scenario.account };
      const start = at('/v1/runs/listSshKeys');
      const started = await app.request(start, post(body, { ...as('keys'), ...keyed('a') }));
      const path = at(started.headers.get('location') ?? '');
      const input = { ...provisionInput(), account: scenario.account };
      const statusOf = async (answer: Response | Promise<Response>) => (await answer).status;

      expect(started.status).toBe(202);
      expect({
        withoutToken: await statusOf(app.request(path)),
        unknownToken: await statusOf(app.request(path, { headers: as('nobody') })),
        otherScope: await statusOf(
          app.request(start, post(body, { ...as('reader'), ...keyed('b') })),
        ),
        operate: await statusOf(
          app.request(`${path}/abort`, { method: 'POST', headers: as('reader') }),
        ),
        otherOperation: await statusOf(
          app.request(START, post(input, { ...as('keys'), ...keyed('c') })),
        ),
        own: await statusOf(app.request(`${path}/result?wait=50s`, { headers: as('keys') })),
      }).toEqual({
        withoutToken: 401,
        unknownToken: 401,
        otherScope: 403,
        operate: 403,
        otherOperation: 403,
        own: 200,
      });
      const other = await app.request(START, post(input, { ...as('all'), ...keyed('d') }));
      const otherPath = at(other.headers.get('location') ?? '');
      expect(await statusOf(app.request(otherPath, { headers: as('keys') }))).toBe(404);
      expect(
        await statusOf(app.request(`${otherPath}/result?wait=50s`, { headers: as('all') })),
      ).toBe(200);
    }));
});
