import { z } from 'zod';

import { apiIdSchema } from './api-text.js';

/** Id of a cloud resource. The API documents UUIDs of version 4; this schema accepts any UUID. */
export const resourceIdSchema = z.guid({ error: 'must be a UUID' });

/**
 * Parses a timestamp of the API to ISO 8601 in UTC. Accepts `2026-05-23T05:07:31`, `…Z` and
 * `2026-05-23 05:07:31+00:00`. Values without a zone, as tasks have them, count as UTC.
 */
export const timestampSchema = z.string().transform((text, context) => {
  const spaced = text.trim().replace(' ', 'T');
  const hasZone = /(?:Z|[+-]\d{2}:?\d{2})$/i.test(spaced);
  const time = new Date(hasZone ? spaced : `${spaced}Z`);
  if (Number.isNaN(time.getTime())) {
    context.addIssue({ code: 'custom', message: 'must be a timestamp' });
    return z.NEVER;
  }
  return time.toISOString();
});

/** A list that the API may omit or send as `null`. */
export function lenientArray<T extends z.ZodType>(element: T) {
  return z
    .array(element)
    .nullish()
    .transform((list): z.output<T>[] => list ?? []);
}

/** The list envelope of the cloud and storage areas: `{count, results}`. */
export function listEnvelope<T extends z.ZodType>(element: T) {
  return z.object({ count: z.number().int(), results: z.array(element) });
}

/** The API documents one or two. */
const MAX_TASKS = 100;

/** Mutations of the cloud area answer with the ids of the tasks they started. The list may be empty. */
export const taskIdsSchema = z.object({ tasks: z.array(apiIdSchema).max(MAX_TASKS) });
