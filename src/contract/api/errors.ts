import { z } from 'zod';

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
