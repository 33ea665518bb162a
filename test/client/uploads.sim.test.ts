import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';

import { describe, expect, it } from '@jest/globals';
import { z } from 'zod';

import { createGcoreWorkflows } from '../../src/client/index.js';
import type { Codec } from '../../src/codec/codec.js';
import { openCodec } from '../../src/codec/open-codec.js';
import { createUploadSource } from '../../src/worker/upload-source.js';
import {
  at,
  bearer,
  bodyOf,
  gatewayOf,
  gcoreOf,
  post,
  tokensOf,
} from '../support/gateway/gateway-world.js';
import { untilBlocked } from '../support/runs/until-blocked.js';
import { inScenario } from '../simulation/scenario.js';
import { instanceIdOf, stateWithInstances } from '../support/worlds/instances.js';
import { add, contentOf, STORE, stateWithStores } from '../support/worlds/kv-stores.js';
import { toLines } from '../support/worlds/manifests.js';

const bytes = (text: string) => Readable.from([Buffer.from(text)]);

/** A list that no other test has, of more than one piece. */
function longList() {
  const own = randomUUID();
  const values = Object.fromEntries(['a', 'b', 'c'].map((key) => [key, own + key.repeat(600_000)]));
  return { values, text: toLines(Object.entries(values).map(([key, value]) => add(key, value))) };
}

describe('an uploaded list', () => {
  it('is read by a run as it was given, and is the same when it is uploaded again', () =>
    inScenario({ state: stateWithStores() }, async (scenario) => {
      const gcore = gcoreOf(scenario);
      const { values, text } = longList();
      const uploaded = await gcore.upload('modifyKvStore', bytes(text));
      const run = await scenario.start('modifyKvStore', {
        storeId: STORE,
        manifest: uploaded.manifest,
      });

      await run.result();

      expect(uploaded).toMatchObject({ lines: 3, bytes: text.length });
      expect(contentOf(scenario.simulator, STORE)).toEqual(values);
      expect(await gcore.upload('modifyKvStore', bytes(text))).toEqual(uploaded);
    }));

  it('holds a run up while it is not there, and the run goes on once it is', () =>
    inScenario({ state: stateWithStores() }, async (scenario) => {
      const { text } = longList();
      const sha256 = createHash('sha256').update(text).digest('hex');
      const manifest = { url: `upload:${sha256}` };
      const run = await scenario.start('modifyKvStore', { storeId: STORE, manifest });
      await untilBlocked(run, 'ManifestUnreadable');
      const gcore = gcoreOf(scenario);

      await gcore.upload('modifyKvStore', bytes(text));
      await gcore.resume(run.workflowId);

      expect(await run.result()).toMatchObject({ items: 3 });
    }));

  it('costs its worker nothing but an end', () =>
    inScenario({}, async (scenario) => {
      const index = { bytes: 1, pieces: [] };
      const runs = [
        await scenario.startRaw('keepUpload', [index]),
        await scenario.startRaw('keepUpload', [Buffer.from('a piece')]),
      ];

      expect(await Promise.all(runs.map((run) => run.result()))).toEqual([undefined, undefined]);
    }));

  it('is encrypted by a client that has keys, and needs them to be read', () =>
    inScenario({}, async ({ client }) => {
      const codec = await openCodec({
        current: 'a',
        keys: { a: randomBytes(32).toString('base64') },
      });
      const { namespace } = client.options;
      const gcore = createGcoreWorkflows({ client, codec });
      const { connection } = client;
      const source = (reader: Codec) =>
        createUploadSource({ connection, namespace, codec: reader });

      const { manifest } = await gcore.upload('modifyKvStore', bytes(longList().text));
      const index = await source(codec).index(manifest.sha256);
      const [first = ''] = index?.pieces ?? [];

      expect(index?.pieces).toHaveLength(2);
      expect(await source(codec).piece(first)).toHaveLength(1024 ** 2);
      await expect(source(await openCodec(undefined)).piece(first)).rejects.toThrow();
    }));
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
      const answer = await app.request(UPLOAD, upload(toLines(items)));
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
      expect(await bodyOf(third)).toMatchObject({ title: 'Too many uploads' });
    }));
});
