import { describe, expect, it } from '@jest/globals';
import { z } from 'zod';

import { COMMON_SHOWN } from '../../../src/contract/operations/common-input.js';
import { OPERATIONS, operationSchemas } from '../../../src/contract/operations/index.js';
import { Operation } from '../../../src/contract/wire/names.js';
import { maskInput } from '../../../src/gateway/pages/mask-input.js';
import { leastCpuMs } from '../../support/timing/least-cpu-ms.js';

const { provisionInstance, modifyKvStore, importVideos, callApi, runBatch } = Operation;

/** An input with every field that the schema has: a new one is among them at once. */
function fullInput(operation: Operation): unknown {
  return sampleOf(schemaOf(operation));
}

function schemaOf(operation: Operation): unknown {
  return z.toJSONSchema(operationSchemas[operation].input, { io: 'input', reused: 'inline' });
}

function sampleOf(schema: unknown): unknown {
  const { properties, items, additionalProperties, ...choices } = parts.parse(schema);
  const { anyOf = [], oneOf = [], allOf = [] } = choices;
  const inside = [...anyOf, ...oneOf, ...allOf].map(sampleOf);
  if (properties !== undefined && '$secret' in properties) return 'canary';
  if (properties !== undefined) {
    const fields = Object.entries(properties).map(
      ([name, field]) => [name, sampleOf(field)] as const,
    );
    return Object.fromEntries(fields);
  }
  if (items !== undefined) return [sampleOf(items)];
  if (additionalProperties instanceof Object) return { any: sampleOf(additionalProperties) };
  return inside.reduce(both, 'canary');
}

/** What either of two choices has. A list counts as what it holds. */
function both(one: unknown, other: unknown): unknown {
  if (Array.isArray(other)) return both(one, other[0]);
  if (!(other instanceof Object)) return one ?? other;
  if (!(one instanceof Object)) return other;
  const first = new Map<string, unknown>(Object.entries(one));
  for (const [name, value] of Object.entries(other)) first.set(name, both(first.get(name), value));
  return Object.fromEntries(first);
}

const parts = z
  .object({
    properties: z.record(z.string(), z.unknown()),
    items: z.unknown(),
    additionalProperties: z.unknown(),
    anyOf: z.array(z.unknown()),
    oneOf: z.array(z.unknown()),
    allOf: z.array(z.unknown()),
  })
  .partial();

/** The places of a value at which a planted text stands, as definitions name them. */
function shownIn(value: unknown, at: readonly string[] = []): string[] {
  if (Array.isArray(value)) return value.flatMap((item) => shownIn(item, at));
  if (!(value instanceof Object)) return value === 'canary' ? [at.join('.')] : [];
  return Object.entries(value).flatMap(([name, inner]) =>
    shownIn(inner, [...at, name === 'any' ? '*' : name]),
  );
}

function namesOf(paths: readonly string[]): string[] {
  return paths.map((path) => path.split('.').at(-1) ?? '');
}

describe('the input on a page', () => {
  it.each<[string, Operation, unknown, unknown]>([
    [
      'a password, user data, tags and what an application is given',
      provisionInstance,
      {
        instance: {
          password: 'x',
          name: 'web-1',
          user_data: 'x',
          tags: { a: 'x' },
          configuration: { a: 1 },
        },
      },
      {
        instance: {
          password: '***',
          name: 'web-1',
          user_data: '***',
          tags: '***',
          configuration: '***',
        },
      },
    ],
    [
      'a value of a KV store',
      modifyKvStore,
      { items: [{ key: 'k', payload: [{ encoding: 'masked', value: 'x' }, { value: 'y' }] }] },
      { items: [{ key: 'k', payload: [{ encoding: 'masked', value: '***' }, { value: '***' }] }] },
    ],
    [
      'where a video comes from',
      importVideos,
      { videos: [{ name: 'a', origin_url: 'https://h/a', origin_http_headers: 'X: letmein' }] },
      { videos: [{ name: 'a', origin_url: '***', origin_http_headers: '***' }] },
    ],
    [
      'the address of a manifest and of a receiver',
      modifyKvStore,
      {
        manifest: { url: 'https://files.example/secret/may.jsonl', sha256: 'ab' },
        notify: [{ url: 'https://hooks.chat.example/services/T0/x', secretName: 'orders' }],
      },
      { manifest: { url: '***', sha256: 'ab' }, notify: [{ url: '***', secretName: 'orders' }] },
    ],
    [
      'the query and the bodies of a call, and what its look compares',
      callApi,
      {
        method: 'POST',
        path: '/cloud/v1/x',
        query: { a: 'x' },
        body: { a: 'x' },
        look: { path: '/cloud/v1/x', query: { a: 'x' }, pointer: '/a', equals: 'x' },
        undo: { method: 'DELETE', path: '/cloud/v1/x', query: { a: 'x' }, body: { a: 'x' } },
      },
      {
        method: 'POST',
        path: '/cloud/v1/x',
        query: '***',
        body: '***',
        look: { path: '/cloud/v1/x', query: '***', pointer: '/a', equals: '***' },
        undo: { method: 'DELETE', path: '/cloud/v1/x', query: '***', body: '***' },
      },
    ],
    [
      'more of an item of a batch than of its operation',
      runBatch,
      {
        operation: 'callApi',
        defaults: { method: 'POST', body: { a: 'x' } },
        items: [{ requestId: 'r', path: '/cloud/v1/x', query: { a: 'x' } }],
      },
      {
        operation: 'callApi',
        defaults: { method: 'POST', body: '***' },
        items: [{ requestId: 'r', path: '/cloud/v1/x', query: '***' }],
      },
    ],
    [
      'the items of a batch that names no operation',
      runBatch,
      { operation: 'none', items: [{ name: 'x' }] },
      { operation: 'none', items: '***' },
    ],
    [
      'fields that the operation does not have, not even their names',
      provisionInstance,
      { hunter2: 'x', instance: { hunter3: 'x', flavor: 'g2' } },
      { '(other fields)': 1, instance: { flavor: 'g2', '(other fields)': 1 } },
    ],
    ['an object in the place of a text', callApi, { method: { a: 'x' } }, { method: '***' }],
    ['lists in a list', callApi, { method: [['x']] }, { method: ['***'] }],
    ['an input of another form', callApi, 'x', '***'],
    ['a secret in place of a name', callApi, { body: { $secret: 'Hunter 2!' } }, { body: '***' }],
    [
      'a credential in a text that is shown',
      provisionInstance,
      { instance: { name: 'Bearer canary-1234567' } },
      { instance: { name: 'Bearer ***' } },
    ],
  ])('does not show %s', (...row) => {
    const [, operation, input, shown] = row;

    expect(maskInput(operation, input)).toEqual(shown);
  });

  it('shows which secret is used, and what the definition shows', () => {
    const input = {
      account: 'blue',
      labels: { team: 'media' },
      instance: {
        password: { $secret: 'web-admin', key: 'pw' },
        flavor: 'g2',
        volumes: [{ size: 5, image_id: null }],
      },
    };

    expect(maskInput(provisionInstance, input)).toEqual(input);
  });

  it.each(Object.values(Operation))(
    'of %s shows what its definition names, and nothing else',
    (operation) => {
      const marked = new Set([...COMMON_SHOWN, ...OPERATIONS[operation].shows]);
      const input = fullInput(operation);
      const isField = new Set(shownIn(input));

      const shown = shownIn(maskInput(operation, input));

      expect(new Set(shown)).toEqual(new Set([...marked].filter((path) => isField.has(path))));
      // A name that is no field would be a field that somebody has renamed.
      expect(OPERATIONS[operation].shows.filter((path) => !isField.has(path))).toEqual([]);
      expect(isField.size).toBeGreaterThan(shown.length);
    },
  );

  it.each(Object.values(Operation))(
    'of %s shows what its result repeats: whoever reads the one reads the other',
    (operation) => {
      const { result } = operationSchemas[operation];
      const fields = z.toJSONSchema(result, { reused: 'inline', unrepresentable: 'any' });
      const inResult = new Set(namesOf(shownIn(sampleOf(fields))));
      const input = fullInput(operation);
      const shown = new Set(namesOf(shownIn(maskInput(operation, input))));

      const hidden = namesOf(shownIn(input)).filter((name) => !shown.has(name));

      // The link to the picture that a video has is no picture that was sent.
      expect(hidden.filter((name) => inResult.has(name) && name !== 'poster')).toEqual([]);
    },
  );

  it('costs as much as its bytes, whatever they are', async () => {
    const value = 'x'.repeat(40);
    const many = (count: number) => ({
      items: Array.from({ length: count }, (_, at) => ({ key: `k${at}`, payload: { value } })),
      ...Object.fromEntries(Array.from({ length: count }, (_, at) => [`unknown${at}`, value])),
    });
    const input = many(20_000);

    expect(JSON.stringify(maskInput(modifyKvStore, input)).length).toBeLessThan(
      JSON.stringify(input).length,
    );
    expect(await leastCpuMs(1_000, () => maskInput(modifyKvStore, input))).toBeLessThan(1_000);
    expect(
      JSON.stringify(maskInput(callApi, JSON.parse(`${'['.repeat(9_999)}${']'.repeat(9_999)}`))),
    ).toBe('["***"]');
  });
});
