import { z } from 'zod';

import { itemCountsSchema } from './item-counts.js';
import { resourceSchemaOf, type Words } from './resource.js';
import { statusDocumentSchemaOf } from './status-document.js';
import { WEBHOOK_EVENT_TYPES } from '../core/webhook-event-types.js';

/** The body of a webhook. */
export function webhookBodySchemaOf<O extends z.ZodType<string>, K extends z.ZodType<string>>(
  words: Words<O, K>,
) {
  return z.object({
    type: z.enum(WEBHOOK_EVENT_TYPES),
    timestamp: z.string().describe('when it happened, in ISO 8601 in UTC'),
    data: z.object({
      workflowId: z.string(),
      runId: z.string().describe('of the first history of the run'),
      operation: words.operation,
      account: z.string(),
      sequence: z.number().describe('counts the events of a run from 1, whoever asked for them'),
      resources: z
        .array(resourceSchemaOf(words))
        .describe('what the run made or adopted, and has not removed'),
      counts: itemCountsSchema.optional().describe('items.failed: items by outcome'),
      status: statusDocumentSchemaOf(words)
        .optional()
        .describe('the status document; left out when it is larger than 8 KiB'),
    }),
  });
}
