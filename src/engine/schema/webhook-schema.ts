import { z } from 'zod';

import { importCountsSchema } from '../../contract/operations/import-counts.js';
import { Operation } from '../../contract/wire/names.js';
import { resourceSchema } from './resource.js';
import { statusDocumentSchema } from './status-document.js';
import { WEBHOOK_EVENT_TYPES } from '../core/webhook-event-types.js';
import type { WebhookBody } from '../core/webhook-events.js';

/** The body of a webhook. */
export const webhookBodySchema = z.object({
  type: z.enum(WEBHOOK_EVENT_TYPES),
  timestamp: z.string().describe('when it happened, in ISO 8601 in UTC'),
  data: z.object({
    workflowId: z.string(),
    runId: z.string().describe('of the first history of the run'),
    operation: z.enum(Operation),
    account: z.string(),
    sequence: z.number().describe('counts the events of a run from 1, whoever asked for them'),
    resources: z
      .array(resourceSchema)
      .describe('what the run made or adopted, and has not removed'),
    counts: importCountsSchema.optional().describe('items.failed: videos by outcome'),
    status: statusDocumentSchema
      .optional()
      .describe('the status document; left out when it is larger than 8 KiB'),
  }),
}) satisfies z.ZodType<WebhookBody>;
