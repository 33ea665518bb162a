/**
 * The schemas of the documents that callers read, with the names of this product: its operations and its kinds of
 * resources. Types leave both open, because a newer worker may write others.
 */
import { z } from 'zod';

import type { WebhookBody } from '../engine/core/webhooks.js';
import {
  failureSchemaOf,
  planSchemaOf,
  type Plan,
  webhookBodySchemaOf,
} from '../engine/schema/documents.js';
import {
  statusDocumentSchemaOf,
  stepStatusSchemaOf,
  type StatusDocument,
  type StepStatus,
} from '../engine/schema/status-document.js';
import { Operation, ResourceKind } from './wire/names.js';

const words = { operation: z.enum(Operation), kind: z.enum(ResourceKind) };

export const stepStatusSchema: z.ZodType<StepStatus> = stepStatusSchemaOf(words);

/** What a result says of the steps of its run. */
export const ledgerSchema = z
  .array(stepStatusSchema)
  .describe('the steps of the run, as its status shows them');

/** The one description of a run: the `status` query, the command line and the Temporal UI show it. */
export const statusDocumentSchema: z.ZodType<StatusDocument> = statusDocumentSchemaOf(words);

/** What a run would do, as far as reads of the API can tell. */
export const planSchema: z.ZodType<Plan> = planSchemaOf(words);

/** Result of a run with `planOnly`. */
export const plannedSchema = z.object({ plan: planSchema });

/** The failure of a run, as Temporal stores it: `details` is the first of its details. */
export const failureSchema = failureSchemaOf(words);

/** The body of a webhook. */
export const webhookBodySchema: z.ZodType<WebhookBody> = webhookBodySchemaOf(words);
