import { describe, expect, it } from '@jest/globals';
import { z } from 'zod';

import { createGcoreWorkflows, type UploadLimits } from '../../src/client/index.js';
import type { Operation } from '../../src/contract/index.js';
import type { AuditEntry } from '../../src/gateway/gateway-context.js';
import { at, bearer, bodyOf, gatewayOf, post, tokensOf } from '../support/gateway/gateway-world.js';
import { inScenario, type Scenario } from '../simulation/scenario.js';
import { until } from '../support/timing/until.js';
import { instanceIdOf, stateWithInstances } from '../support/worlds/instances.js';
import { STORE, stateWithStores } from '../support/worlds/kv-stores.js';
import { toLines } from '../support/worlds/manifests.js';

const listedSchema = z.object({ uploads: z.array(z.object({ isWhole: z.boolean() })) });

const uploadedSchema = z.object({
  manifest: z.object({ url: z.string(), sha256: z.string() }),
});

describe('POST /v1/uploads/{operation}', () => {
  const UPLOAD = at('/v1/uploads/runBatch');
  const upload = (body: string, headers: Record<string, string> = {}) =>
    post(body, { 'Content-Type': 'application/x-ndjson', ...headers });

  it('gives the manifest of a batch', () =>
    inScenario({ state: stateWithInstances([{ of: 1 }, { of: 2 }]) }, async (scenario) => {
      const app = gatewayOf(scenario);
      const { account } = scenario;
      const items = [1, 2].map((of) => ({
        instanceId: instanceIdOf(of),
        requestId: `${account}-${of}`,
      }));
      const answer = await app.request(`${UPLOAD}?account=${account}`, upload(toLines(items)));
      const { manifest } = z.object({ manifest: z.unknown() }).parse(await bodyOf(answer));
      const body = { manifest, account, defaults: { action: 'stop' } };
      const start = post(body, { 'Idempotency-Key': 'night' });

      const started = await app.request(at('/v1/batches/setInstancePower'), start);
      const location = at(started.headers.get('location') ?? '');
      const result = await app.request(`${location}/result?wait=50s`);

      expect([answer.status, started.status, result.status]).toEqual([201, 202, 200]);
      expect(scenario.mutations()).toHaveLength(2);
    }));

  it('names the faults by line, takes JSON Lines only, and knows what may have a list', () =>
    inScenario({}, async (scenario) => {
      const app = gatewayOf(scenario);

      const faulty = await app.request(UPLOAD, upload('{"requestId": "a"}\n7'));
      const other = await app.request(UPLOAD, post({}));
      const unknown = await app.request(at('/v1/uploads/protectIp'), upload('{}'));

      expect([faulty.status, other.status, unknown.status]).toEqual([400, 415, 404]);
      expect(await bodyOf(faulty)).toMatchObject({
        faults: [{ parameter: 'line 2', message: expect.any(String) }],
      });
      expect(scenario.mutations()).toEqual([]);
    }));

  it('needs a token for the operation, which may upload two lists at a time', () =>
    inScenario({}, async (scenario) => {
      const tokens = tokensOf({
        imports: { name: 'imports', scopes: ['run'], operations: ['importVideos'] },
        batches: { name: 'batches', scopes: ['run'] },
      });
      const app = gatewayOf(scenario, { tokens });
      const body = () => upload('{}\n', bearer('batches').headers);
      const endless = () => {
        const { readable, writable } = new TransformStream<Uint8Array>();
        const ask = async () => app.request(UPLOAD, { ...body(), body: readable, duplex: 'half' });
        return { answer: ask(), end: () => writable.close() };
      };

      const refused = await app.request(UPLOAD, upload('{}', bearer('imports').headers));
      const open = [endless(), endless()];
      const third = await app.request(UPLOAD, body());
      await Promise.all(open.map(({ end }) => end()));
      await Promise.all(open.map(({ answer }) => answer));
      const later = await app.request(UPLOAD, body());

      expect([refused.status, third.status, later.status]).toEqual([403, 429, 201]);
      expect(await bodyOf(third)).toMatchObject({
        title: 'Too many uploads and deletions of lists',
      });
    }));
});

describe('GET and DELETE /v1/uploads', () => {
  const LINE = toLines([{ op: 'add', key: 'a', datatype: 'kv', payload: { value: 'b' } }]);

  /** Tokens for one account, with an audit log. */
  function worldOf(scenario: Scenario, limits: Partial<UploadLimits> = {}) {
    const { account } = scenario;
    const scopes = ['read', 'run'] as const;
    const tokens = tokensOf({
      anna: { name: `anna-${account}`, scopes, accounts: [account] },
      ben: { name: 'ben', scopes, accounts: ['other'] },
      imports: { name: 'imports', scopes, accounts: [account], operations: ['importVideos'] },
      reader: { name: 'reader', scopes: ['read'], accounts: [account] },
    });
    const audited: AuditEntry[] = [];
    const uploadLimits = { callerBytes: 1.5 * LINE.length, ...limits };
    const gcore = createGcoreWorkflows({ ...scenario, uploadLimits });
    const app = gatewayOf(scenario, { gcore, tokens, audit: (entry) => audited.push(entry) });
    const ask = (
      request: `${'GET' | 'POST' | 'DELETE'} ${string}`,
      token: string,
      body?: string,
    ) => {
      const [method = '', path = ''] = request.split(' ');
      return app.request(at(`${path}${path.includes('?') ? '&' : '?'}account=${account}`), {
        method,
        headers: { 'Content-Type': 'application/x-ndjson', Authorization: `Bearer ${token}` },
        ...(body !== undefined && { body }),
      });
    };
    const listed = async (token: string) =>
      listedSchema.parse(await bodyOf(await ask('GET /v1/uploads', token)));
    return { ask, audited, account, gcore, listed };
  }

  it('show what a token may see, and let it delete that, with a line in the audit log', () =>
    inScenario({}, async (scenario) => {
      const { ask, audited, account, listed } = worldOf(scenario);
      const made = await ask('POST /v1/uploads/modifyKvStore', 'anna', LINE);
      const { manifest } = uploadedSchema.parse(await bodyOf(made));
      await until(
        'it is listed whole',
        async () => (await listed('reader')).uploads[0]?.isWhole === true,
      );
      const path = `/v1/uploads/${manifest.sha256}`;

      const [seen, ofBen, ofImports] = [
        await ask('GET /v1/uploads', 'reader'),
        await ask('GET /v1/uploads', 'ben'),
        await ask('GET /v1/uploads', 'imports'),
      ];
      const refused = [
        await ask(`DELETE ${path}`, 'ben'),
        await ask(`DELETE ${path}`, 'reader'),
        await ask(`DELETE ${path}`, 'imports'),
        await ask('DELETE /v1/uploads/ab%2Fcd', 'anna'),
      ].map(({ status }) => status);
      const deleted = await ask(`DELETE ${path}`, 'anna');
      const again = await ask(`DELETE ${path}`, 'anna');

      expect(await bodyOf(seen)).toMatchObject({
        uploads: [
          {
            account,
            manifest,
            operation: 'modifyKvStore',
            lines: 1,
            by: `gateway:anna-${account}`,
          },
        ],
        usage: { caller: { bytes: 0 }, account: { bytes: LINE.length, lists: 1 } },
      });
      expect(ofBen.status).toBe(403);
      expect(await bodyOf(ofImports)).toMatchObject({ uploads: [] });
      expect(refused).toEqual([403, 403, 404, 404]);
      expect([deleted.status, again.status]).toEqual([204, 404]);
      expect(audited.filter(({ action }) => action === 'delete-upload')).toMatchObject([
        { caller: 'imports', upload: manifest.url, outcome: 'UploadNotFound' },
        { caller: `anna-${account}`, outcome: 'UploadNotFound' },
        { caller: `anna-${account}`, upload: manifest.url, outcome: 'done' },
        { caller: `anna-${account}`, upload: manifest.url, outcome: 'UploadNotFound' },
      ]);
      expect(JSON.stringify(audited)).not.toContain('ab/cd');
    }));

  it('are told a hundred at a time, in an answer of a limited size', () =>
    inScenario({}, async (scenario) => {
      const { ask } = worldOf(scenario, { callerBytes: 1_000_000 });
      for (let at = 0; at < 101; at += 1) {
        const line = toLines([
          { op: 'add', key: `k${at}`, datatype: 'kv', payload: { value: 'b' } },
        ]);
        await ask('POST /v1/uploads/modifyKvStore', 'anna', line);
      }

      const newest = await (await ask('GET /v1/uploads', 'anna')).text();
      const older = await bodyOf(await ask('GET /v1/uploads?skip=100', 'anna'));
      const wrong = await ask('GET /v1/uploads?skip=-1', 'anna');

      expect(newest.length).toBeLessThan(64 * 1_024);
      expect(JSON.parse(newest)).toMatchObject({ more: 1, usage: { account: { lists: 101 } } });
      expect(older).toMatchObject({ uploads: [{ lines: 1 }], more: 0 });
      expect(wrong.status).toBe(400);
    }));

  it('say how much is kept before the limit, which is a problem with a next step', () =>
    inScenario({}, async (scenario) => {
      const { ask } = worldOf(scenario);
      const first = await ask('POST /v1/uploads/modifyKvStore', 'anna', LINE);

      const second = await ask('POST /v1/uploads/modifyKvStore', 'anna', LINE + LINE);

      expect(await bodyOf(first)).toMatchObject({
        usage: { caller: { bytes: LINE.length, mostBytes: 1.5 * LINE.length } },
      });
      expect(second.status).toBe(429);
      expect(await bodyOf(second)).toMatchObject({
        code: 'UploadLimit',
        advice: expect.stringContaining('DELETE /v1/uploads/{sha256}'),
      });
    }));

  it('say how long a list may be before it is, and refuse a longer one', () =>
    inScenario({}, async (scenario) => {
      const { ask } = worldOf(scenario, { listBytes: LINE.length });
      const told = await ask('GET /v1/uploads', 'anna');

      const fits = await ask('POST /v1/uploads/modifyKvStore', 'anna', LINE);
      const longer = await ask('POST /v1/uploads/modifyKvStore', 'anna', LINE + LINE);

      expect(await bodyOf(told)).toMatchObject({ usage: { list: { mostBytes: LINE.length } } });
      expect([fits.status, longer.status]).toEqual([201, 400]);
      expect(await bodyOf(longer)).toMatchObject({
        faults: [
          {
            parameter: 'line 2',
            message: `is above the limit of ${LINE.length} bytes: split the list`,
          },
        ],
      });
    }));

  it('refuse while an open run reads the list, and name it to whoever may know of it', () =>
    inScenario({ state: stateWithStores() }, async (scenario) => {
      const { ask, account, gcore } = worldOf(scenario);
      const made = await ask('POST /v1/uploads/modifyKvStore', 'anna', LINE);
      const { manifest } = uploadedSchema.parse(await bodyOf(made));
      await scenario.setListening(false);
      const run = await scenario.start('modifyKvStore', { storeId: STORE, manifest });
      await until(
        'the run is listed',
        async () => (await gcore.list({ open: true, account })).length > 0,
      );
      const path = `/v1/uploads/${manifest.sha256}`;

      const refused = await ask(`DELETE ${path}`, 'anna');
      const forced = await ask(`DELETE ${path}?force=true`, 'anna');

      expect([refused.status, forced.status]).toEqual([409, 204]);
      expect(await bodyOf(refused)).toMatchObject({
        code: 'UploadInUse',
        detail: expect.stringContaining(run.workflowId),
        advice: expect.stringContaining('force=true'),
      });
      await scenario.setListening(true);
      await run.terminate(`of ${account}`);
    }));

  it('let no token take a list from runs that it may not use', () =>
    inScenario({ state: stateWithInstances([{ of: 1 }]) }, async (scenario) => {
      const { account } = scenario;
      const tokenOf = (name: string, operations: readonly Operation[]) => ({
        name,
        scopes: ['read', 'run'] as const,
        operations,
      });
      const tokens = tokensOf({
        power: tokenOf('power', ['runBatch', 'setInstancePower']),
        other: tokenOf('other', ['runBatch', 'deleteInstance']),
      });
      const app = gatewayOf(scenario, { tokens });
      const ask = (token: string, path: string, init: RequestInit) => {
        const headers = new Headers({ 'Content-Type': 'application/x-ndjson' });
        headers.set('Authorization', `Bearer ${token}`);
        return app.request(at(`/v1/uploads/${path}account=${account}`), { ...init, headers });
      };
      const items = toLines([{ instanceId: instanceIdOf(1), requestId: `${account}-1` }]);
      const made = await ask('power', 'runBatch?', post(items));
      const { manifest } = uploadedSchema.parse(await bodyOf(made));
      await scenario.setListening(false);
      const batch = {
        operation: 'setInstancePower',
        manifest,
        defaults: { action: 'stop' },
      } as const;
      const run = await scenario.start('runBatch', batch);
      const gcore = createGcoreWorkflows(scenario);
      const open = { open: true, account };
      await until('the run is listed', async () => (await gcore.list(open)).length > 0);
      const forced = (token: string) =>
        ask(token, `${manifest.sha256}?force=true&`, { method: 'DELETE' });

      const refused = await forced('other');
      const deleted = await forced('power');

      expect([refused.status, deleted.status]).toEqual([409, 204]);
      expect(await bodyOf(refused)).toMatchObject({
        detail: 'The list may still be read by open runs. Nothing was deleted.',
      });
      await scenario.setListening(true);
      await run.terminate(`of ${account}`);
    }));

  it('name the methods of a list, and those of an operation', () =>
    inScenario({}, async (scenario) => {
      const { ask } = worldOf(scenario);
      const [ofList, ofOperation, ofAll] = [
        await ask(`GET /v1/uploads/${'0'.repeat(64)}`, 'anna'),
        await ask('GET /v1/uploads/modifyKvStore', 'anna'),
        await ask('DELETE /v1/uploads', 'anna'),
      ].map(({ status, headers }) => [status, headers.get('allow')]);

      expect([ofList, ofOperation, ofAll]).toEqual([
        [405, 'DELETE'],
        [405, 'POST'],
        [405, 'GET, HEAD'],
      ]);
    }));
});
