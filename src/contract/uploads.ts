import { z } from 'zod';

import { kvItemSchema } from './api/fastedge.js';
import { inlineVideoItemSchema } from './api/streaming.js';
import { clearPlacesOf } from './clear-secrets.js';
import { clearSecretsIn, type ClearPlace } from './clear-values.js';
import { toPath } from '../engine/core/faults.js';
import { MAX_IMPORT_LINES, MAX_INLINE_VIDEOS } from './operations/import-videos.js';
import { MAX_KV_LINES } from './operations/modify-kv-store.js';
import { MAX_BATCH_ITEMS, MAX_INLINE_ITEMS } from './operations/run-batch.js';
import { Operation } from './wire/names.js';

/** Its hash would be in a Workflow Id, which nobody encrypts: a short password could be guessed from it. */
const SECRET_RULE =
  'may not stand in clear in an uploaded list: name a secret of the worker, { "$secret": "name" }';

/** A line without a secret in clear. */
function withoutSecrets<T>(
  line: z.ZodType<T>,
  pathsOf: (line: T) => readonly ClearPlace[],
): z.ZodType<T> {
  return line.superRefine((value, context) => {
    for (const path of pathsOf(value)) {
      context.addIssue({ code: 'custom', path: [...path], message: SECRET_RULE });
    }
  });
}

/** Of an item of a store. */
function maskedPaths(item: unknown): ClearPlace[] {
  return clearPlacesOf(Operation.modifyKvStore, { items: [item] }).map((place) => place.slice(2));
}

/**
 * An item of a batch, whose operation nobody knows yet: what any of them refuses, a call and the items of a store. The same
 * list may be that of a store as well: nobody reads it by what it was uploaded for.
 */
function clearPaths(item: Record<string, unknown>): ClearPlace[] {
  const all = [
    // Videos have been judged by their own schema.
    ...clearSecretsIn('videos' in item ? { ...item, videos: undefined } : item),
    ...clearPlacesOf(Operation.callApi, item),
    ...clearPlacesOf(Operation.modifyKvStore, item),
    ...maskedPaths(item),
  ];
  return [...new Map(all.map((place) => [toPath(place), place])).values()];
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
    line: withoutSecrets(kvItemSchema, maskedPaths),
    mostLines: MAX_KV_LINES,
    mostInline: Infinity,
  },
  [Operation.runBatch]: {
    field: 'items',
    // The defaults of the batch come later, so its run checks the whole items.
    line: withoutSecrets(
      z.looseObject({ videos: z.array(inlineVideoItemSchema).optional() }),
      clearPaths,
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
