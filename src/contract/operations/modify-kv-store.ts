import { z } from 'zod';

import { isIrreversible, kvItemSchema, type KvItem } from '../api/fastedge.js';
import { jsonByteLength } from '../../engine/core/text.js';
import { crossFieldRule } from '../../engine/schema/parse-input.js';
import { manifestSchema, refuseOtherUpload } from '../manifest.js';
import { MAX_INLINE_BYTES } from './bulk-input.js';
import { kvStoreResource } from '../wire/names.js';
import { accountInputShape, idSchema } from './common-input.js';
import { defineOperation, withRequestId } from './define-operation.js';

const MAX_CHUNK_ITEMS = 10_000;
/** Of a manifest. */
export const MAX_KV_LINES = 1_000_000;
/** Of one line, and of the lines that one call sends: a value of 1 MiB with every second byte escaped. */
export const MAX_KV_LINE_BYTES = 2_621_440;

const BLOOM_RULE =
  'cannot be undone: a bloom filter cannot remove values. Set "allowIrreversible": true to allow it';

const crossFieldViewSchema = z
  .object({
    items: z.unknown(),
    manifest: z.unknown(),
    force: z.unknown(),
    allowIrreversible: z.unknown(),
  })
  .partial();
const rule = crossFieldRule(crossFieldViewSchema);

/**
 * Input of the workflow `modifyKvStore`: the changes to the keys of one store, inline or by
 * reference. It has no `onFailure`: the run undoes nothing.
 *
 * @example
 * { storeId: 17, items: [{ op: 'add', key: 'greeting', datatype: 'kv', payload: { value: 'hello' } }] }
 */
export const modifyKvStoreInputSchema = z
  .strictObject({
    ...accountInputShape,
    storeId: idSchema.describe('id of the store, not its name'),
    items: z
      .array(kvItemSchema)
      .min(1, { error: 'must have at least one item' })
      .refine((items) => jsonByteLength(items) <= MAX_INLINE_BYTES, {
        error: `must have at most ${MAX_INLINE_BYTES} bytes as JSON: write the items to a file, one per line, and use "manifest"`,
        when: ({ value }) => Array.isArray(value),
      })
      .optional()
      .describe('the changes to the keys, written in this order; give these or a manifest'),
    manifest: manifestSchema
      .optional()
      .describe('the items by reference, one per line, each key once; the order does not matter'),
    force: z
      .boolean()
      .optional()
      .describe('allows a key to change its datatype and lose its value; needs allowIrreversible'),
    allowIrreversible: z
      .boolean()
      .optional()
      .describe('allows "force" and additions to bloom filters, which nothing can undo'),
    verify: z
      .enum(['sample', 'all'])
      .optional()
      .describe('how many keys are read back and compared at the end; a sample when left out'),
    chunkItems: z
      .number()
      .int()
      .min(1)
      .max(MAX_CHUNK_ITEMS)
      .optional()
      .describe('maximum number of items per call; 1000 when left out'),
  })
  .check(
    rule('items', 'is missing: set "items" or "manifest"', ({ items, manifest }) =>
      Boolean(items ?? manifest),
    ),
    rule('manifest', 'cannot be combined with "items"', ({ items, manifest }) =>
      [items, manifest].includes(undefined),
    ),
    rule(
      'force',
      'destroys the value of a key that has another datatype. Set "allowIrreversible": true to allow it',
      ({ force, allowIrreversible }) => force !== true || allowIrreversible === true,
    ),
  )
  .superRefine(refuseOtherUpload)
  .superRefine(({ items = [], allowIrreversible }, context) => {
    if (allowIrreversible === true) return;
    for (const [index, item] of items.entries()) {
      if (!isIrreversible(item)) continue;
      context.addIssue({ code: 'custom', message: BLOOM_RULE, path: ['items', index] });
    }
  });

/** One line of a manifest, under the same rule as an item of the list. */
export function kvLineSchema(allowIrreversible: boolean): z.ZodType<KvItem> {
  return kvItemSchema.refine((item) => allowIrreversible || !isIrreversible(item), {
    error: BLOOM_RULE,
  });
}

const chunkResultSchema = z.object({
  items: z.number().describe('number of items sent'),
  writeCount: z.number().describe('as the API counts: keys, and members of sets and filters'),
  delCount: z.number().describe('as the API counts, like writeCount'),
  writeSize: z.number().describe('in bytes, as the API counts'),
  revision: z.number().optional().describe('of the store after this chunk; none for a BYOD store'),
  attempts: z.number().describe('more than one when an answer was lost'),
});
export type KvChunkResult = z.infer<typeof chunkResultSchema>;

/** Result of `modifyKvStore`: every item is written, and every key that was read back has its value. */
const modifyKvStoreResultSchema = z.object({
  storeId: z.number().describe('id of the store'),
  items: z.number().describe('number of items sent'),
  writeCount: z
    .number()
    .describe('as the API counts; after a lost answer some items may count twice'),
  delCount: z.number().describe('as the API counts, like writeCount'),
  writeSize: z.number().describe('bytes written, as the API counts, like writeCount'),
  storeSize: z.number().describe('in bytes, after the last chunk; 0 for a BYOD store'),
  revision: z.number().optional().describe('of the store at the end'),
  chunks: z.array(chunkResultSchema).describe('the calls, in the order of the writes'),
  foreignWrites: z
    .array(
      z.object({
        chunk: z
          .number()
          .describe(
            'before or during this chunk, counted from 1; count of chunks + 1: after the last',
          ),
        from: z.number().describe('revision before the jump'),
        to: z.number().describe('revision after it'),
      }),
    )
    .describe('jumps of the revision that this run did not cause: another client wrote'),
  verified: z
    .object({
      mode: z.enum(['sample', 'all']).describe('as verify of the input'),
      keys: z.number().describe('number of keys that were read back and have the right value'),
    })
    .describe('how many keys were read back and have the right value'),
  unverified: z
    .array(
      z.object({
        reason: z.string().describe('why the API does not show it'),
        keys: z.number().describe('number of such keys'),
      }),
    )
    .describe('keys that were read back but whose value the API does not show'),
});

export const modifyKvStore = defineOperation({
  guarantees:
    'Writes items, from the input or a [manifest](manifests.md), into one KV store, in chunks, and reads keys back. A repeat after any interruption ends with exactly the content of the input. Nothing is undone.',
  page: 'push.md',
  shows: [
    'storeId',
    'items.key',
    'items.datatype',
    'items.op',
    'items.payload.encoding',
    'items.payload.expiry',
    'items.payload.score',
    'manifest.sha256',
    'force',
    'allowIrreversible',
    'verify',
    'chunkItems',
  ],
  failures: { always: ['ItemsFailed'], blocks: ['ManifestUnreadable'] },
  input: modifyKvStoreInputSchema,
  result: modifyKvStoreResultSchema,
  example: {
    storeId: 17,
    items: [{ op: 'add', key: 'greeting', datatype: 'kv', payload: { value: 'hello' } }],
  },
  urgency: 'normal',
  reuse: 'ALLOW_DUPLICATE_FAILED_ONLY',
  repeat: 'now',
  requestId: 'from caller',
  defaults: { allowIrreversible: false, chunkItems: 1_000, force: false, verify: 'sample' },
  subjects: ({ storeId }) => [kvStoreResource(storeId)],
  readsOnly: false,
  startAgain: withRequestId('kv-push', 'FILE', '--store', 'ID'),
  whereToLook: () => 'The store shows what was written',
  leaves: {
    says: 'What it has written stays in the store',
    next: 'push the values that the keys should have',
  },
  completedWork: ({ items }) => ({
    done: `it has written ${items} items`,
    advice: 'To change the keys again, push the values that they should have.',
  }),
});
