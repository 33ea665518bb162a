import { describe, expect, it } from '@jest/globals';

import { itemFaults } from '../../src/contract/batch-items.js';
import { clearSecretFaults } from '../../src/contract/clear-secrets.js';
import { operationSchemas } from '../../src/contract/operations/index.js';
import { UPLOADED_LISTS } from '../../src/contract/uploads.js';
import { Operation } from '../../src/contract/wire/names.js';
import { parseInput } from '../../src/engine/schema/parse-input.js';
import { PLAIN_NAMES, SECRET_NAMES } from './wire/secret-names.js';
import { leastCpuMs } from '../support/timing/least-cpu-ms.js';

const PATH = '/cloud/v1/loadbalancers/1/2';
const SECRETS = '/cloud/v2/secrets/1/2';

function faultsOf(change: object) {
  const parsed = parseInput(operationSchemas.callApi.input, {
    ...{ method: 'POST', path: PATH },
    ...change,
  });
  return parsed.ok ? [] : parsed.faults;
}

const pathsOf = (change: object) => faultsOf(change).map(({ path }) => path);

describe('a call of callApi', () => {
  // A `$secret` is a reference itself.
  it.each(SECRET_NAMES.filter((name) => name !== '$secret'))(
    'takes no %s in clear, wherever it stands, and takes it by reference',
    (name) => {
      const secret = { [name]: 'canary' };
      const named = { [name]: { $secret: 'web' } };

      expect(pathsOf({ body: secret })).toHaveLength(1);
      expect(pathsOf({ body: { a: [{ b: secret }] } })).toHaveLength(1);
      expect(pathsOf({ body: { env: [{ name, value: 'canary' }] } })).toEqual([
        'body.env[0].value',
      ]);
      expect(pathsOf({ body: { [name]: ['canary'] } })).toHaveLength(1);
      expect(pathsOf({ undo: { method: 'POST', path: PATH, body: secret } })).toHaveLength(1);
      expect(pathsOf({ look: { path: PATH, pointer: `/${name}`, equals: 1 } })).toContain(
        'look.pointer',
      );
      expect(pathsOf({ look: { path: PATH, pointer: '', equals: secret } })).toHaveLength(1);
      expect(faultsOf({ body: named, undo: { method: 'POST', path: PATH, body: named } })).toEqual(
        [],
      );
      expect(faultsOf({ body: { env: [{ name, value: { $secret: 'web' } }] } })).toEqual([]);
    },
  );

  it.each(PLAIN_NAMES)('takes a %s', (name) => {
    const plain = { [name]: 'x' };

    expect(faultsOf({ body: { ...plain, a: [plain], env: [{ name, value: 'x' }] } })).toEqual([]);
    expect(faultsOf({ look: { path: PATH, pointer: `/${name}`, equals: 'x' } })).toEqual([]);
  });

  it.each<[string, object, string]>([
    ['a query', { query: { token: 'x' } }, 'query.token'],
    ['a URL', { body: { url: 'redis://me:canary@db.example' } }, 'body.url'],
    ['a text', { body: { script: 'export DB_PASSWORD=canary' } }, 'body.script'],
    ['base64', { body: { script: btoa('export DB_PASSWORD=canary') } }, 'body.script'],
    ['a list of options', { body: { args: ['--password', 'canary'] } }, 'body.args[1]'],
    ['a list of pairs', { body: { env: [['DB_PASSWORD', 'canary']] } }, 'body.env[0][1]'],
    [
      'a form',
      { body: { fields: [{ type: 'password', value: 'canary' }] } },
      'body.fields[0].value',
    ],
    [
      'a secret of a cluster',
      { body: { kind: 'Secret', stringData: { a: 'canary' } } },
      'body.stringData.a',
    ],
    [
      'the settings of a CDN resource',
      { body: { options: { secure_key: { enabled: true, key: 'canary', type: 2 } } } },
      'body.options.secure_key.key',
    ],
    ['a number', { body: { password: 12_345_678 } }, 'body.password'],
    ['what the path names', { path: SECRETS, body: { payload: 'canary' } }, 'body.payload'],
    ['a file of settings', { body: { config: 'a: 1\nb: 2' } }, 'body.config'],
    [
      'a look at one',
      { look: { path: SECRETS, pointer: '/payload', equals: true } },
      'look.pointer',
    ],
    [
      'a look at the file of a cluster',
      { look: { path: '/cloud/v2/k8s/clusters/1/2/a/config', pointer: '/config', equals: 'x' } },
      'look.pointer',
    ],
  ])('takes no secret in %s', (_what, change, path) => {
    expect(pathsOf(change)).toEqual([path]);
  });

  it.each<[string, object]>([
    [
      'a certificate, with its key by reference',
      {
        path: SECRETS,
        body: {
          name: 'tls',
          expiration: '2030-01-01',
          payload: { certificate: '-----BEGIN CERTIFICATE-----', private_key: { $secret: 'tls' } },
        },
      },
    ],
    [
      'the users of a load balancer',
      {
        body: { user_list: [{ username: 'a', encrypted_password: { $secret: 'a', key: 'hash' } }] },
      },
    ],
    [
      'settings that are no file',
      { body: { config: { replicas: 2 }, auth: { type: 'none', enabled: true } } },
    ],
    ['nothing at all', { body: { password: null, token: '', auth: false } }],
    [
      'a look at the name of a secret',
      { look: { path: SECRETS, pointer: '/results/0/name', equals: 'tls' } },
    ],
  ])('takes %s', (_what, change) => {
    expect(faultsOf(change)).toEqual([]);
  });

  it('says once what to do, without the value', () => {
    const [fault, ...rest] = faultsOf({ body: { adminPass: 'canary' }, method: 'PO' });

    expect([fault, ...rest].map((one) => one?.path)).toEqual(['method', 'body.adminPass']);
    expect(JSON.stringify([fault, rest])).toContain(
      'write { \\"$secret\\": \\"name\\" } in its place',
    );
    expect(JSON.stringify([fault, rest])).not.toContain('canary');
  });

  it('may name sixty secrets, each of which is read', () => {
    const named = (count: number) =>
      Object.fromEntries(
        Array.from({ length: count }, (_, at) => [`k${at}`, { $secret: `s${at}` }]),
      );

    expect(faultsOf({ body: named(60) })).toEqual([]);
    expect(pathsOf({ body: named(61) })).toEqual(['body']);
  });

  it('is not looked through when its size refuses it', () => {
    expect(pathsOf({ body: { text: 'x'.repeat(200_000), password: 'canary' } })).toEqual(['body']);
  });

  it('costs little, however many fields it has', async () => {
    const body = Object.fromEntries(Array.from({ length: 4_000 }, (_, at) => [`f${at}`, 'a=b']));

    expect(faultsOf({ body })).toEqual([]);
    expect(await leastCpuMs(1_000, () => faultsOf({ body }))).toBeLessThan(1_000);
  });
});

describe('the secrets of a call', () => {
  const input = { method: 'POST', path: PATH, body: { a: [{ 'db.pass': 'canary' }], name: 'x' } };

  it('are told by their places: those of the items of a batch by the schema of each', () => {
    expect(clearSecretFaults(Operation.callApi, input, 'no')).toEqual([
      { path: 'body.a[0]["db.pass"]', message: 'no' },
    ]);
    const batch = { operation: 'callApi', items: [input], defaults: { body: { pwd: 'canary' } } };
    expect(clearSecretFaults(Operation.runBatch, batch, 'no').map(({ path }) => path)).toEqual([
      'defaults.body.pwd',
    ]);
    expect(itemFaults({ operation: 'callApi', items: [input] }).map(({ path }) => path)).toEqual([
      'items[0].body.a[0]["db.pass"]',
    ]);
  });

  it('are kept by no uploaded list', () => {
    const { line } = UPLOADED_LISTS.runBatch;

    expect(line.safeParse({ ...input, body: { name: 'x' } }).success).toBe(true);
    expect(line.safeParse(input).success).toBe(false);
  });
});
