import { z } from 'zod';

import { kvItemSchema } from './api/fastedge.js';
import { inlineVideoItemSchema } from './api/streaming.js';
import { clearSecretFaults } from './clear-secrets.js';
import { MAX_IMPORT_LINES, MAX_INLINE_VIDEOS } from './operations/import-videos.js';
import { MAX_KV_LINES } from './operations/modify-kv-store.js';
import { BATCHED_OPERATIONS, MAX_BATCH_ITEMS, MAX_INLINE_ITEMS } from './operations/run-batch.js';
import { Operation } from './wire/names.js';

/** Its hash would be in a Workflow Id, which nobody encrypts: a short password could be guessed from it. */
const SECRET_RULE =
  'may not stand in clear in an uploaded list: name a secret of the worker, { "$secret": "name" }';

/** A line without a secret in clear. @param inputOf where the operation would have it */
function withoutSecrets<T>(
  line: z.ZodType<T>,
  operations: readonly Operation[],
  inputOf: (line: T) => unknown,
): z.ZodType<T> {
  return line.superRefine((value, context) => {
    const input = inputOf(value);
    const faults = operations.flatMap((one) => clearSecretFaults(one, input, SECRET_RULE));
    for (const { path, message } of faults) {
      const below = path.replace(/^items\[0\]\./, '').split('.');
      context.addIssue({ code: 'custom', path: below, message });
    }
  });
}

/** What the operations that take an uploaded list want of it. */
export const UPLOADED_LISTS = {
  [Operation.importVideos]: {
    field: 'videos',
    line: inlineVideoItemSchema,
    mostLines: MAX_IMPORT_LINES,
    mostInline: MAX_INLINE_VIDEOS,
  },
  [Operation.modifyKvStore]: {
    field: 'items',
    line: withoutSecrets(kvItemSchema, [Operation.modifyKvStore], (item) => ({ items: [item] })),
    mostLines: MAX_KV_LINES,
    mostInline: Infinity,
  },
  [Operation.runBatch]: {
    field: 'items',
    // The defaults of the batch come later, so its run checks the whole items.
    line: withoutSecrets(
      z.looseObject({ videos: z.array(inlineVideoItemSchema).optional() }),
      BATCHED_OPERATIONS,
      (item) => item,
    ),
    mostLines: MAX_BATCH_ITEMS,
    mostInline: MAX_INLINE_ITEMS,
  },
} as const;
export type ListOperation = keyof typeof UPLOADED_LISTS;

export const LIST_OPERATIONS = [
  Operation.importVideos,
  Operation.modifyKvStore,
  Operation.runBatch,
] as const satisfies readonly ListOperation[];
