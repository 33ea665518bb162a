import { describe, expect, it } from '@jest/globals';

import { createInstanceBodySchema } from '../../../src/contract/api/create-instance-body.js';
import { kvItemSchema } from '../../../src/contract/api/fastedge.js';
import { inlineVideoItemSchema, videoItemSchema } from '../../../src/contract/api/streaming.js';
import { clearSecretFaults } from '../../../src/contract/clear-secrets.js';
import { parseInput } from '../../../src/engine/schema/parse-input.js';
import { hasSecretRef, secretPlaces } from '../../../src/contract/wire/secret-ref.js';
import { createBody } from '../../support/inputs/instance-bodies.js';

const REF = { $secret: 'web-admin' };

function faultsOf(schema: Parameters<typeof parseInput>[0], input: unknown): string[] {
  const parsed = parseInput(schema, input);
  return parsed.ok ? [] : parsed.faults.map(({ path, message }) => `${path}: ${message}`);
}

describe('a secret by its name', () => {
  it('may stand wherever the API takes a secret', () => {
    const item = {
      op: 'add',
      key: 'k',
      datatype: 'kv',
      payload: { value: REF, encoding: 'masked' },
    };
    const video = {
      name: 'a',
      origin_url: REF,
      origin_http_headers: { ...REF, key: 'header' },
      remote_poster_url: REF,
    };
    const instance = { password: REF, user_data: REF, configuration: { a: [{ b: REF }] } };

    expect(faultsOf(createInstanceBodySchema, createBody(instance))).toEqual([]);
    expect(faultsOf(kvItemSchema, item)).toEqual([]);
    expect(faultsOf(videoItemSchema, video)).toEqual([]);
    expect(faultsOf(inlineVideoItemSchema, video)).toEqual([]);
  });

  it.each<[string, unknown, string]>([
    ['a path for a name', { $secret: '../key' }, 'password.$secret: must be the name of a secret'],
    ['an upper-case name', { $secret: 'Web' }, 'password.$secret: must be the name of a secret'],
    ['a number', { $secret: 1 }, 'password: must be { "$secret": "name" }'],
    ['another field', { ...REF, version: 2 }, 'password.version: is not a known field'],
    ['an empty key', { ...REF, key: '' }, 'password.key: must not be empty'],
    ['no secret at all', { secret: 'x' }, 'password: must be a text or { "$secret": "name" }'],
  ])('with %s is refused', (_, password, fault) => {
    const faults = faultsOf(createInstanceBodySchema, createBody({ password }));

    expect(faults).toEqual([expect.stringContaining(fault)]);
  });

  it('with a wrong form is refused deep inside a configuration, where everything else may stand', () => {
    const configuration = { list: [{ $secret: 'A' }], other: { $other: 1 } };

    const faults = faultsOf(createInstanceBodySchema, createBody({ configuration }));

    expect(faults).toEqual([
      expect.stringMatching(/^configuration.list\[0\]: must be \{ "\$secret"/),
    ]);
  });

  it('cannot stand for a name, a key of a store or a tag', () => {
    expect(faultsOf(createInstanceBodySchema, createBody({ tags: { a: REF } }))).toHaveLength(1);
    expect(faultsOf(kvItemSchema, { op: 'del_key', key: REF, datatype: 'kv' })).toHaveLength(1);
  });

  it('as an origin excludes a number of the caller: only the origin would tell its videos apart', () => {
    const video = { name: 'a', origin_url: REF, client_user_id: 7 };

    expect(faultsOf(videoItemSchema, video)).toEqual([
      expect.stringMatching(/^client_user_id: cannot be combined with a secret/),
    ]);
  });

  it('is found at its place', () => {
    const value = { a: [{ value: REF }], 'b c': REF, d: 'text' };

    expect(secretPlaces(value, 'items')).toEqual([
      { path: 'items.a[0].value', ref: REF },
      { path: 'items.b c', ref: REF },
    ]);
    expect([hasSecretRef(value), hasSecretRef({ a: [null, 'x', 1] })]).toEqual([true, false]);
  });
});

describe('a secret in clear', () => {
  const pathsOf = (...[operation, input]: [Parameters<typeof clearSecretFaults>[0], unknown]) =>
    clearSecretFaults(operation, input, 'no').map(({ path }) => path);

  it('is a password, user data or a masked value', () => {
    const items = [
      { payload: { value: 'a', encoding: 'masked' } },
      { payload: { value: 'b' } },
      {
        payload: [
          { value: 'c', encoding: 'masked' },
          { value: REF, encoding: 'masked' },
        ],
      },
    ];

    expect(pathsOf('provisionInstance', { instance: { password: 'a', user_data: 'b' } })).toEqual([
      'instance.password',
      'instance.user_data',
    ]);
    expect(pathsOf('provisionInstance', { instance: { password: REF } })).toEqual([]);
    expect(pathsOf('modifyKvStore', { items })).toEqual([
      'items[0].payload.value',
      'items[2].payload[0].value',
    ]);
  });

  it.each([undefined, null, 'text', [], { instance: null }, { items: [null, { payload: 1 }] }])(
    'is looked for in %j without an error',
    (input) => {
      expect(pathsOf('provisionInstance', input)).toEqual([]);
      expect(pathsOf('modifyKvStore', input)).toEqual([]);
    },
  );
});
