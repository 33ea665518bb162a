import { z } from 'zod';

import { cutText, firstThatFit } from '../../engine/core/text.js';

/** Longest id of the API. UUIDs have 36 characters; a longer id is no answer that a run can use. */
const MAX_ID_LENGTH = 128;
/** Names, statuses and types. */
export const MAX_NAME_BYTES = 300;

/** Prose of the API, such as the error of a task. Histories record it, so it is cut. */
export const apiTextSchema = z.string().transform((text) => cutText(text));

/** A name, status or type that the API shows. */
export const apiNameSchema = z.string().transform((text) => cutText(text, MAX_NAME_BYTES));

/** An id of the API. A cut id would name something else, so a longer one is refused. */
export const apiIdSchema = z.string().max(MAX_ID_LENGTH);

/** The answer to a call that makes one thing and starts no task. Without an id the thing is looked for. */
export const madeSchema = z
  .object({ id: z.number().int().nullish().catch(undefined) })
  .transform(({ id }): { id?: number } => (typeof id === 'number' ? { id } : {}));

/** 150 UUIDs. A create call makes one instance and its volumes. */
const MAX_IDS_BYTES = 6_000;

/** The first ids of a list. Other tasks of the account may have made hundreds of things. */
export function firstIds<T extends string | number>(list: z.ZodType<T[]>) {
  return list.transform((ids) => firstThatFit(ids, MAX_IDS_BYTES));
}

/** Error body of the cloud area (error handling guide). `exception_class` says more than the status. */
export const cloudErrorSchema = z.object({
  exception_class: z.string().optional(),
  message: z.string().optional(),
  request_id: z.string().optional(),
  info: z.record(z.string(), z.unknown()).optional(),
  invalid_fields: z.record(z.string(), z.array(z.string())).optional(),
});

/** Error body of the FastEdge area. */
export const fastedgeErrorSchema = z.object({
  error: z.string(),
  conflicting_ids: z.array(z.number()).optional(),
});

/** Error bodies of the streaming area: `{status, error}`, and `{errors: {field: []}}` for 422. */
export const streamingErrorSchema = z.union([
  z.object({ status: z.number(), error: z.string() }),
  z.object({ errors: z.record(z.string(), z.array(z.string())) }),
]);

/** Error body of the storage area; the text may be missing. */
export const storageErrorSchema = z.object({ error: z.string().optional() });

const textSchema = z.string().optional().catch(undefined);
const textsByFieldSchema = z
  .record(z.string(), z.union([z.array(z.string()), z.string()]))
  .optional()
  .catch(undefined);

/**
 * An error body of any area of the API. The guide claims one shape, the areas document four, and
 * gateways answer without a body. A field of another type counts as missing.
 */
export const anyErrorSchema = z.object({
  exception_class: textSchema,
  message: textSchema,
  error: textSchema,
  request_id: textSchema,
  invalid_fields: textsByFieldSchema,
  errors: textsByFieldSchema,
});
export type AnyError = z.infer<typeof anyErrorSchema>;
