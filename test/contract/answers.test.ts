import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';

import {
  anyErrorSchema,
  cloudErrorSchema,
  fastedgeErrorSchema,
  storageErrorSchema,
  streamingErrorSchema,
} from '../../src/contract/api/errors.js';
import {
  floatingIpListSchema,
  instanceListSchema,
  instanceSchema,
} from '../../src/contract/api/cloud.js';
import { volumeListSchema } from '../../src/contract/api/volumes.js';

describe('the error schemas', () => {
  it.each([
    ['cloud', cloudErrorSchema, { exception_class: 'NotFoundError', message: 'no such task' }],
    [
      'cloud, with fields',
      cloudErrorSchema,
      {
        exception_class: 'ValidationError',
        message: 'bad',
        request_id: 'r-1',
        invalid_fields: { volumes: ['Field required'] },
      },
    ],
    [
      'cloud, a quota',
      cloudErrorSchema,
      { exception_class: 'QuotaLimitExceed', info: { attribute: 'cpu', limit: 8 } },
    ],
    ['fastedge', fastedgeErrorSchema, { error: 'bad key' }],
    ['fastedge, a conflict', fastedgeErrorSchema, { error: 'in use', conflicting_ids: [1, 2] }],
    ['streaming', streamingErrorSchema, { status: 400, error: 'bad url' }],
    ['streaming, by field', streamingErrorSchema, { errors: { name: ["can't be blank"] } }],
    ['storage', storageErrorSchema, { error: 'unknown key' }],
    ['storage, without words', storageErrorSchema, {}],
  ])('accept the error of %s', (_title, schema, body) => {
    const parsed: unknown = schema.parse(body);

    expect(parsed).toEqual(body);
  });
});

describe('anyErrorSchema', () => {
  it('reads the documented error of each area', () => {
    const cloud = { exception_class: 'ValidationError', message: 'bad', request_id: 'r-1' };
    const fields = { invalid_fields: { volumes: ['Field required'] } };
    const streaming = { errors: { name: ["can't be blank"] } };

    const parsed = [{ ...cloud, ...fields }, { error: 'bad key' }, streaming, {}].map((body) =>
      anyErrorSchema.parse(body),
    );

    expect(parsed).toEqual([{ ...cloud, ...fields }, { error: 'bad key' }, streaming, {}]);
  });

  it('reads a field of another type as missing and keeps the rest', () => {
    const body = { message: { en: 'no' }, error: 7, request_id: 'r-1', invalid_fields: ['name'] };

    const parsed = anyErrorSchema.parse(body);

    expect(parsed.request_id).toBe('r-1');
    expect(JSON.stringify(parsed)).toBe('{"request_id":"r-1"}');
  });

  it('accepts any JSON object', () => {
    const property = fc.property(fc.dictionary(fc.string(), fc.jsonValue()), (body) => {
      expect(anyErrorSchema.safeParse(body).success).toBe(true);
    });

    fc.assert(property);
  });
});

describe('instanceSchema', () => {
  it('requires only id, name and status', () => {
    const instance = instanceSchema.parse({ id: 'i-1', name: 'web', status: 'BUILD' });

    const empty = { addresses: {}, volumes: [], tags: [] };
    expect(instance).toEqual({ id: 'i-1', name: 'web', status: 'BUILD', ...empty });
  });

  it('reads null as an empty value', () => {
    const nothing = { flavor: null, creator_task_id: null, task_id: null, addresses: null };

    const instance = instanceSchema.parse({
      id: 'i-1',
      name: 'web',
      status: 'BUILD',
      volumes: null,
      tags: null,
      ...nothing,
    });

    expect(instance).toMatchObject({ ...nothing, addresses: {}, volumes: [], tags: [] });
  });

  it('drops fields that this product does not read', () => {
    const address = { addr: '192.0.2.1', type: 'fixed', subnet_id: 's-1', interface_name: null };

    const instance = instanceSchema.parse({
      id: 'i-1',
      name: 'web',
      status: 'ACTIVE',
      metadata: { a: 'b' },
      flavor: { flavor_id: 'g2', vcpus: 2 },
      addresses: { net: [address] },
      volumes: [{ id: 'v-1', delete_on_termination: false, extra: 1 }],
    });

    expect(instance).toEqual({
      id: 'i-1',
      name: 'web',
      status: 'ACTIVE',
      tags: [],
      flavor: { flavor_id: 'g2' },
      addresses: { net: [{ addr: '192.0.2.1', type: 'fixed' }] },
      volumes: [{ id: 'v-1', delete_on_termination: false }],
    });
  });

  it.each([['id'], ['name'], ['status']])('refuses an instance without %s', (field) => {
    const body = { id: 'i-1', name: 'web', status: 'ACTIVE', [field]: undefined };

    const parsed = instanceListSchema.safeParse({ count: 1, results: [body] });

    expect(parsed.error?.issues).toEqual([
      expect.objectContaining({ path: ['results', 0, field] }),
    ]);
  });
});

describe('volumeListSchema', () => {
  it('requires only id and status of a volume', () => {
    const list = volumeListSchema.parse({
      count: 1,
      results: [{ id: 'v-1', status: 'available', limiter_stats: {} }],
    });

    expect(list.results).toEqual([{ id: 'v-1', status: 'available', tags: [] }]);
  });

  it('reads null as an empty value, but for the attachments, which it leaves unknown', () => {
    const nothing = { name: null, creator_task_id: null, task_id: null };
    const volume = { id: 'v-1', status: 'creating', attachments: null, tags: null, ...nothing };

    const list = volumeListSchema.parse({ count: 1, results: [volume] });

    expect(list.results).toEqual([{ ...volume, tags: [] }]);
  });
});

describe('the list envelope', () => {
  it.each([
    ['a bare array', []],
    ['a list without count', { results: [] }],
    ['a list without results', { count: 0 }],
    ['null', null],
  ])('refuses %s', (_title, body) => {
    const schemas = [instanceListSchema, volumeListSchema, floatingIpListSchema];

    const accepted = schemas.filter((schema) => schema.safeParse(body).success);

    expect(accepted).toEqual([]);
  });
});
