import { z } from 'zod';

import { apiNameSchema } from './errors.js';
import { orSecret } from '../secret-ref-schema.js';
import type { SecretRef } from '../wire/secret-ref.js';
import { byteLength, jsonByteLength } from '../../engine/core/text.js';

/** Texts are whole: what changes one of them sends both. */
const kvStoreShape = {
  name: z.string(),
  comment: z.string().nullish(),
  app_count: z.number().nullish(),
  size: z.number().nullish(),
};

/** A store. `revision` is missing when the data are in a database of the user (BYOD). */
export const kvStoreSchema = z.object({
  ...kvStoreShape,
  revision: z.number().nullish(),
  byod: z.unknown().optional(),
});
export type KvStore = z.infer<typeof kvStoreSchema>;

/** `GET /fastedge/v1/kv`. It does not say which stores have their data in a database of the user. */
export const kvStoreListSchema = z
  .object({
    count: z.number(),
    stores: z.array(z.object({ ...kvStoreShape, id: z.number().int() })),
  })
  .transform(({ count, stores }) => ({ count, results: stores }));

/** A text in a body that a run looks for afterwards: what it sees of it may be cut, and has no spaces around it. */
function findable(maxBytes: number) {
  return z
    .string()
    .refine((text) => jsonByteLength(text) <= maxBytes, {
      error: `must have at most ${maxBytes} bytes as JSON`,
    })
    .refine((text) => text === text.trim(), { error: 'must not begin or end with a space' });
}

/** The API documents no limits. These are below what a run keeps of a text that the API shows. */
export const kvStoreNameSchema = findable(256)
  .min(1, { error: 'must not be empty' })
  .regex(/^\P{Cc}*$/u, { error: 'must be one line, without control characters' });
export const kvStoreCommentSchema = findable(1_000);

/** Answer of `PUT /fastedge/v1/kv/{store_id}/data`. It counts members of sets and filters. */
export const kvWrittenSchema = z.object({
  write_count: z.number(),
  del_count: z.number(),
  write_size: z.number(),
  store_size: z.number(),
  revision: z.number().nullish(),
});

/** A value as the API shows it: a long value as a hash, a masked value not at all. */
const shownValueSchema = z.object({
  value: z.string().optional(),
  encoding: apiNameSchema.optional(),
  score: z.number().nullish(),
  expiry: apiNameSchema.nullish(),
});
export type ShownValue = z.infer<typeof shownValueSchema>;

/** Answer of `GET /fastedge/v1/kv/{store_id}/data/{key}`: an object for a plain key, a page for a set. */
export const kvEntrySchema = z.object({
  key: z.string(),
  datatype: apiNameSchema,
  payload: z.union([z.array(shownValueSchema), shownValueSchema]).nullish(),
  count: z.number().nullish(),
});

/** The guide counts bytes, the OpenAPI document characters. Bytes are the stricter limit. */
const MAX_KEY_BYTES = 256;
const MAX_VALUE_BYTES = 1_048_576;

const valueSchema = z
  .string({ error: mustBe('a text') })
  .refine((text) => byteLength(text) <= MAX_VALUE_BYTES, {
    error: `must have at most ${MAX_VALUE_BYTES} bytes`,
  });

const encodingSchema = z
  .enum(['plain', 'base64', 'masked'], {
    error: ({ input }) =>
      input === 'sha256'
        ? 'must not be "sha256": the API shows a long value as a hash but does not accept one'
        : 'must be "plain", "base64" or "masked"',
  })
  .optional()
  .describe('form of the value; masked: the API never shows it again');

/** @param value schema of each value: a text, or also a secret by its name. */
function payloadsOf<T extends z.ZodType<string | SecretRef>>(value: T) {
  const shape = { value: value.describe('the value, in its encoding'), encoding: encodingSchema };
  const expiry = z.iso
    .datetime({ offset: true, error: 'must be a time such as "2030-01-01T00:00:00Z"' })
    .optional()
    .describe('when the key expires, in ISO 8601');
  const error = mustBe('an object { "value": … } for datatype "kv"');
  return {
    kv: z.strictObject({ ...shape, expiry }, { error }).check(checkBase64),
    sortedSet: z
      .strictObject({
        ...shape,
        score: z.number().optional().describe('place of the member in the order'),
      })
      .check(checkBase64),
    bloom: z.strictObject(shape).check(checkBase64),
  };
}

const commonShape = {
  key: z
    .string({ error: mustBe('a text') })
    .min(1, { error: 'must not be empty' })
    .refine((key) => byteLength(key) <= MAX_KEY_BYTES, {
      error: `must have at most ${MAX_KEY_BYTES} bytes in UTF-8`,
    })
    .describe('name of the key'),
};

function variantsOf<T extends z.ZodType<string | SecretRef>>(value: T) {
  const payloads = payloadsOf(value);
  return {
    kv: z.strictObject({
      ...commonShape,
      datatype: z.literal('kv').describe('one value'),
      op: z
        .enum(['add', 'del_key'], {
          error: mustBe('"add" or "del_key" for datatype "kv": a plain key has no entries'),
        })
        .describe('del_key removes the key'),
      payload: payloads.kv.optional().describe('none with del_key'),
    }),
    sortedSet: z.strictObject({
      ...commonShape,
      datatype: z.literal('sorted_set').describe('members with a score'),
      op: z
        .enum(['add', 'del_key', 'del_entries'], {
          error: mustBe('"add", "del_key" or "del_entries"'),
        })
        .describe('del_entries removes these members, del_key the whole set'),
      payload: membersOf(payloads.sortedSet).optional().describe('the members; none with del_key'),
    }),
    bloom: z.strictObject({
      ...commonShape,
      datatype: z.literal('bloom_filter').describe('members that can only be added'),
      op: z
        .enum(['add', 'del_key'], {
          error: mustBe(
            '"add" or "del_key" for datatype "bloom_filter": a filter cannot remove single values, only "del_key" removes the whole filter',
          ),
        })
        .describe('del_key removes the whole filter'),
      payload: membersOf(payloads.bloom).optional().describe('the members; none with del_key'),
    }),
  };
}

function itemOf<T extends z.ZodType<string | SecretRef>>(value: T) {
  const { kv, sortedSet, bloom } = variantsOf(value);
  return z
    .discriminatedUnion('datatype', [kv, sortedSet, bloom], {
      error: mustBe('an object with "datatype": "kv", "sorted_set" or "bloom_filter"'),
    })
    .check(
      z.refine((item) => isKeyOnly(item) || hasPayload(item), {
        path: ['payload'],
        error: 'is missing: only "del_key" has no payload',
        when: ({ value }) => hasOperation(value),
      }),
      z.refine((item) => !isKeyOnly(item) || !hasPayload(item), {
        path: ['payload'],
        error: 'must be left out: "del_key" removes the whole key',
        when: ({ value }) => hasOperation(value),
      }),
    );
}

/**
 * One item of `PUT /fastedge/v1/kv/{store_id}/data`. The schema of the API is loose; the valid
 * combinations are from the guide on KV stores. Each datatype has its own payload and operations. As a
 * value, a secret may stand by its name.
 */
export const kvItemSchema = itemOf(orSecret(valueSchema));
/** The item as it is sent, with the values of its secrets. */
export const sentKvItemSchema = itemOf(valueSchema);
export type KvItem = z.infer<typeof kvItemSchema>;
export type SentKvItem = z.infer<typeof sentKvItemSchema>;
export type KvMember = NonNullable<
  Extract<SentKvItem, { datatype: 'sorted_set' }>['payload']
>[number];
export type KvValue = NonNullable<Extract<SentKvItem, { datatype: 'kv' }>['payload']>;

/** A value in a bloom filter can be removed only with the whole filter. */
export function isIrreversible({ datatype, op }: KvItem): boolean {
  return datatype === 'bloom_filter' && op === 'add';
}

function membersOf<T extends z.ZodType>(member: T) {
  return z
    .array(member, { error: mustBe('a list [{ "value": … }] for this datatype') })
    .min(1, { error: 'must have at least one entry' });
}

function mustBe(expected: string) {
  return ({ input }: { input?: unknown }): string =>
    input === undefined ? 'is missing' : `must be ${expected}`;
}

/** Nothing that anybody meant as an item needs further words. */
function hasOperation(item: unknown): boolean {
  return item instanceof Object && 'op' in item;
}

function isKeyOnly(item: unknown): boolean {
  return item instanceof Object && 'op' in item && item.op === 'del_key';
}

function hasPayload(item: unknown): boolean {
  return item instanceof Object && 'payload' in item && item.payload !== undefined;
}

const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;

function checkBase64(context: z.core.ParsePayload): void {
  const { value: payload } = context;
  if (!(payload instanceof Object && 'value' in payload && 'encoding' in payload)) return;
  const { value, encoding } = payload;
  if (encoding !== 'base64' || typeof value !== 'string' || BASE64.test(value)) return;
  const message = 'must be base64, because "encoding" is "base64"';
  context.issues.push({ code: 'custom', message, path: ['value'], input: value });
}
