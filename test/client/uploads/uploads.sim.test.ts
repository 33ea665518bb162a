import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';

import { describe, expect, it } from '@jest/globals';

import { createGcoreWorkflows } from '../../../src/client/index.js';
import type { Codec } from '../../../src/codec/codec.js';
import { openCodec } from '../../../src/codec/open-codec.js';
import { uploadUrl } from '../../../src/contract/wire/uploads.js';
import { createUploadSource } from '../../../src/worker/upload-source.js';
import { gcoreOf } from '../../support/gateway/gateway-world.js';
import { untilBlocked } from '../../support/runs/until-blocked.js';
import { inScenario } from '../../simulation/scenario.js';
import { add, contentOf, STORE, stateWithStores } from '../../support/worlds/kv-stores.js';
import { toLines } from '../../support/worlds/manifests.js';

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
      const { account } = scenario;
      const uploaded = await gcore.upload('modifyKvStore', bytes(text), { account });
      const run = await scenario.start('modifyKvStore', {
        storeId: STORE,
        manifest: uploaded.manifest,
      });

      await run.result();

      expect(uploaded).toMatchObject({ lines: 3, bytes: text.length });
      expect(contentOf(scenario.simulator, STORE)).toEqual(values);
      expect(await gcore.upload('modifyKvStore', bytes(text), { account })).toEqual(uploaded);
    }));

  it('holds a run up while it is not there, and the run goes on once it is', () =>
    inScenario({ state: stateWithStores() }, async (scenario) => {
      const { text } = longList();
      const sha256 = createHash('sha256').update(text).digest('hex');
      const { account } = scenario;
      const manifest = { url: uploadUrl({ account, sha256 }) };
      const run = await scenario.start('modifyKvStore', { storeId: STORE, manifest });
      await untilBlocked(run, 'ManifestUnreadable');
      const gcore = gcoreOf(scenario);

      await gcore.upload('modifyKvStore', bytes(text), { account });
      await gcore.resume(run.workflowId);

      expect(await run.result()).toMatchObject({ items: 3 });
    }));

  it('costs its worker nothing but an end', () =>
    inScenario({}, async (scenario) => {
      const index = { bytes: 1 };
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
      const name = { account: 'default', sha256: manifest.sha256 };
      const { uploads } = await gcore.uploads();

      expect(await source(codec).index(name)).toMatchObject({ bytes: expect.any(Number) });
      expect(await source(codec).piece(name, 0)).toBeInstanceOf(Uint8Array);
      await expect(source(await openCodec(undefined)).piece(name, 0)).rejects.toThrow();
      expect(uploads.find((one) => one.manifest.sha256 === manifest.sha256)).toMatchObject({
        ...{ operation: 'modifyKvStore', lines: 3, isWhole: true },
      });
    }));
});
