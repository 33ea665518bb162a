import { describe, expect, it } from '@jest/globals';

import type { KvItem } from '../../src/contract/index.js';
import type { Line } from '../support/http/open-line.js';
import { failureOfRun } from '../support/runs/run-failure.js';
import { inScenario } from '../simulation/scenario.js';
import { untilBlocked } from '../support/runs/until-blocked.js';
import { createSecretsFolder } from '../support/secrets/secrets-folder.js';
import { contentOf, kvInput, stateWithStores } from '../support/worlds/kv-stores.js';
import { BATCH, NOTHING_WRONG, wrongly } from '../support/worlds/videos.js';
import { canary } from './canaries.js';
import { hitsIn, recording } from './run-with-secrets.js';
const masked = (key: string, name: string): KvItem => ({
  op: 'add',
  key,
  datatype: 'kv',
  payload: { value: { $secret: name }, encoding: 'masked' },
});

describe('items with secrets by their names', () => {
  const [first, second] = [canary('first').value, canary('second').value];

  it('are written, and the result names those that are not read back', () => {
    const { path } = createSecretsFolder({ one: `${first}\n` });
    const items: KvItem[] = [
      { op: 'add', key: 'a', datatype: 'kv', payload: { value: { $secret: 'one' } } },
      { op: 'add', key: 'b', datatype: 'kv', payload: { value: 'plain' } },
    ];
    return inScenario({ secretsFolder: path, state: stateWithStores() }, async (scenario) => {
      const run = await scenario.start('modifyKvStore', kvInput({ items, verify: 'all' }));
      const { unverified } = await run.result();

      expect(contentOf(scenario.simulator)).toEqual({ a: first, b: 'plain' });
      expect(unverified).toEqual([{ reason: 'secrets by name are not read back', keys: 1 }]);
      expect(await hitsIn(scenario, run, [first])).toEqual([]);
    });
  });

  it('keep the newer value when it changes after a lost answer and the lost call comes late', () => {
    const secrets = createSecretsFolder({ one: first });
    let late: Promise<unknown> | undefined;
    const line: Line = async (request) => {
      if (request.method !== 'PUT' || late !== undefined) return fetch(request);
      secrets.write('one', second);
      // The call arrives before the end of the grace time, and its connection is gone.
      const { url, method, headers } = request;
      const copy = new Request(url, { method, headers, body: await request.text() });
      late = new Promise((resolve) => setTimeout(resolve, 250)).then(() => fetch(copy));
      throw new Error('lost');
    };
    const items = [masked('a', 'one')];
    const options = { secretsFolder: secrets.path, line, state: stateWithStores() };
    return inScenario(options, async (scenario) => {
      const run = await scenario.start('modifyKvStore', kvInput({ items }));
      const { chunks } = await run.result();
      await late;

      expect(chunks).toMatchObject([{ attempts: 2 }]);
      expect(JSON.stringify(scenario.simulator.snapshot().kvEntries)).toContain(
        JSON.stringify(second),
      );
      expect(await hitsIn(scenario, run, [first, second])).toEqual([]);
    });
  });
});

describe('videos with secrets by their names', () => {
  const [bearer, password] = [canary('token', '-_').value, canary('login', '-_').value];
  const token = `Authorization: Bearer ${bearer}`;
  const login = `https://user:${password}@files.example.test/a.mp4`;

  it.each([
    ['in a manifest', true],
    ['in the input', false],
  ])('%s are made once each, also when their answer is lost and a secret changes', (_, isFile) => {
    const videos = [
      { name: 'a', origin_url: { $secret: 'login' } },
      { name: 'a', origin_url: { $secret: 'login' }, origin_http_headers: { $secret: 'token' } },
      { name: 'a', origin_url: 'https://files.example.test/a.mp4' },
      { name: 'b', origin_http_headers: { $secret: 'token' }, origin_url: { $secret: 'login' } },
    ];
    const secrets = createSecretsFolder({ token, login });
    const bodies: string[] = [];
    const line = recording(bodies, ({ method }) => {
      if (method === 'POST') secrets.write('login', `${login}?v=2`);
    });
    const options = {
      secretsFolder: secrets.path,
      line,
      manifests: { 'a.jsonl': videos },
      policy: { probeMs: 200 },
    };
    return inScenario(options, async (scenario) => {
      const { simulator, start } = scenario;
      simulator.faults.add({ match: { ...BATCH, times: 1 }, action: { kind: 'drop-response' } });
      const list = isFile ? { manifest: { url: 'file:a.jsonl' } } : { videos };

      const run = await start('importVideos', { ...list, waitFor: 'created' });
      const { counts } = await run.result();

      expect(counts).toMatchObject({ asked: 4, succeeded: 4 });
      expect(simulator.inventory().videos).toHaveLength(4);
      expect(bodies).toHaveLength(1);
      expect(bodies[0]).toContain(JSON.stringify(login));
      expect(await hitsIn(scenario, run, [bearer, password])).toEqual([]);
    });
  });

  it('in a manifest wait for a secret of one line, and every line is made once', () => {
    const videos = [
      { name: 'a', origin_url: 'https://files.example.test/a.mp4' },
      { name: 'b', origin_url: { $secret: 'login' } },
    ];
    const secrets = createSecretsFolder();
    const options = {
      secretsFolder: secrets.path,
      manifests: { 'a.jsonl': videos },
      policy: { probeMs: 200 },
    };
    return inScenario(options, async ({ start, simulator }) => {
      const run = await start('importVideos', { manifest: { url: 'file:a.jsonl' } });
      await untilBlocked(run, 'SecretUnavailable');
      secrets.write('login', login);
      await run.result();

      const names = simulator.inventory().videos.map(({ name }) => ({ name }));
      expect(names).toHaveLength(2);
      expect(wrongly(simulator, names)).toEqual(NOTHING_WRONG);
    });
  });

  it('in the input show no error text that may repeat a secret', () => {
    const { path } = createSecretsFolder({ login });
    const videos = [{ name: 'a', origin_url: { $secret: 'login' } }];
    return inScenario({ secretsFolder: path }, async (scenario) => {
      scenario.simulator.faults.add({
        match: { method: 'GET', path: '/streaming/videos', times: Infinity },
        action: {
          kind: 'status',
          status: 200,
          body: [
            { id: 1, client_user_id: 1, status: 'error', error: `failed at ${login.slice(8)}` },
          ],
        },
      });

      const run = await scenario.start('importVideos', { videos });
      const failure = await failureOfRun(run);

      expect(failure.type).toBe('ItemsFailed');
      expect(await hitsIn(scenario, run, [password])).toEqual([]);
    });
  });
});
