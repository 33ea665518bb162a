import { z } from 'zod';

import { isIrreversible, kvItemSchema, type KvItem } from '../api/kv-item.js';
import { manifestSchema } from '../manifest.js';
import { commonInputShape, idSchema } from './common-input.js';

/** Temporal takes 2 MiB in one piece, and the items stand in the history a second time. */
const MOST_INLINE_BYTES = 1_048_576;
const MOST_CHUNK_ITEMS = 10_000;

const ALLOW_BLOOM =
  'cannot be undone: values are never taken out of a bloom filter. Give "allowIrreversible": true if that is meant';

/**
 * Input of the workflow `modifyKvStore`: what the keys of one store are to be changed to, inline or
 * by reference. There is no `onFailure`: nothing is undone.
 *
 * @example
 * { storeId: 17, items: [{ op: 'add', key: 'greeting', datatype: 'kv', payload: { value: 'hello' } }] }
 */
export const modifyKvStoreInputSchema = z
  .strictObject({
    account: commonInputShape.account,
    onBlocked: commonInputShape.onBlocked,
    deadline: commonInputShape.deadline,
    planOnly: commonInputShape.planOnly,
    storeId: idSchema.describe('the store; not a name'),
    items: z
      .array(kvItemSchema)
      .min(1, { error: 'must have at least one item' })
      .refine((items) => jsonBytes(items) <= MOST_INLINE_BYTES, {
        error: `take more than ${MOST_INLINE_BYTES} bytes as JSON: write them into a file, one a line, and give it as "manifest"`,
        when: ({ value }) => Array.isArray(value),
      })
      .optional()
      .describe('carried out in this order'),
    manifest: manifestSchema
      .optional()
      .describe('the items by reference, one a line, in any order: each key once'),
    force: z
      .boolean()
      .optional()
      .describe('lets a key change its datatype: what it held is lost. Needs allowIrreversible'),
    allowIrreversible: z
      .boolean()
      .optional()
      .describe('says that "force" and what is added to bloom filters are meant'),
    verify: z
      .enum(['sample', 'all'])
      .optional()
      .describe('how much is read back and compared at the end; a sample when left out'),
    chunkItems: z
      .number()
      .int()
      .min(1)
      .max(MOST_CHUNK_ITEMS)
      .optional()
      .describe('at most so many items a call; 1000 when left out'),
  })
  .check(
    rule(['items'], 'or "manifest" is missing: give one of the two', ({ items, manifest }) =>
      Boolean(items ?? manifest),
    ),
    rule(['manifest'], 'cannot be combined with "items"', ({ items, manifest }) =>
      [items, manifest].includes(undefined),
    ),
    rule(
      ['force'],
      'destroys what a key of another datatype holds. Give "allowIrreversible": true if that is meant',
      ({ force, allowIrreversible }) => force !== true || allowIrreversible === true,
    ),
  )
  .superRefine(({ items = [], allowIrreversible }, context) => {
    if (allowIrreversible === true) return;
    for (const [index, item] of items.entries()) {
      if (!isIrreversible(item)) continue;
      context.addIssue({ code: 'custom', message: ALLOW_BLOOM, path: ['items', index] });
    }
  });
export type ModifyKvStoreInput = z.infer<typeof modifyKvStoreInputSchema>;

/** One line of a manifest, under the same rule as an item of the list. */
export function kvLineSchema(allowIrreversible: boolean): z.ZodType<KvItem> {
  return kvItemSchema.refine((item) => allowIrreversible || !isIrreversible(item), {
    error: ALLOW_BLOOM,
  });
}

const chunkResultSchema = z.object({
  items: z.number().describe('how many were sent'),
  writeCount: z.number().describe('of the API: keys, and members of sets and filters'),
  delCount: z.number(),
  revision: z.number().optional().describe('of the store after it; none for a BYOD store'),
  attempts: z.number().describe('more than one where an answer was lost'),
});
export type KvChunkResult = z.infer<typeof chunkResultSchema>;

/** Result of `modifyKvStore`: every item is written; what was read back is as asked. */
export const modifyKvStoreResultSchema = z.object({
  storeId: z.number(),
  items: z.number(),
  writeCount: z.number().describe('as the API counts: after a lost answer some may count twice'),
  delCount: z.number(),
  storeSize: z.number().describe('in bytes, after the last chunk; 0 for a BYOD store'),
  revision: z.number().optional().describe('of the store at the end'),
  chunks: z.array(chunkResultSchema).describe('in the order in which they were written'),
  foreignWrites: z
    .array(
      z.object({
        chunk: z.number().describe('during or before this chunk, from 1; one more: after the last'),
        from: z.number(),
        to: z.number(),
      }),
    )
    .describe('where the revision moved further than this run can explain: somebody else wrote'),
  verified: z.object({
    mode: z.enum(['sample', 'all']),
    keys: z.number().describe('read back and found as asked'),
  }),
  unverified: z
    .array(z.object({ reason: z.string(), keys: z.number() }))
    .describe('of the keys that were read back: what the API does not show'),
});
export type ModifyKvStoreResult = z.infer<typeof modifyKvStoreResultSchema>;

const view = z
  .object({
    items: z.unknown(),
    manifest: z.unknown(),
    force: z.unknown(),
    allowIrreversible: z.unknown(),
  })
  .partial();

/** A rule between fields, checked whatever else is wrong. */
function rule(path: string[], message: string, holds: (input: z.infer<typeof view>) => boolean) {
  return z.refine(
    (input: unknown) => {
      const seen = view.safeParse(input);
      return !seen.success || holds(seen.data);
    },
    { path, error: message, when: () => true },
  );
}

function jsonBytes(value: unknown): number {
  return new TextEncoder().encode(JSON.stringify(value)).length;
}
