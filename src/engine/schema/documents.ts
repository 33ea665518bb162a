import { z } from 'zod';

import { FailureType, type FailureDetails } from '../core/failures.js';
import { WEBHOOK_EVENT_TYPES } from '../core/status.js';
import {
  itemCountsSchema,
  resourceSchemaOf,
  type Words,
  statusDocumentSchemaOf,
} from './status-document.js';

/** A problem that a plan has found. */
export const planFindingSchema = z.object({
  severity: z
    .enum(['fault', 'warning'])
    .describe('fault: the run would fail now; warning: good to know before the run'),
  path: z.string().optional().describe('field of the input, such as instance.flavor'),
  message: z.string(),
  advice: z.string().optional(),
});
export type PlanFinding = z.infer<typeof planFindingSchema>;

/** A call that the run would send. Calls that it repeats while it waits appear once. */
const plannedCallSchema = z.object({
  method: z.string(),
  path: z.string(),
  purpose: z.string(),
  times: z.number().optional().describe('number of such calls; default 1'),
});
export type PlannedCall = z.infer<typeof plannedCallSchema>;

/** What the result of a run will cost. */
const planPriceSchema = z.object({
  perHour: z.number(),
  perMonth: z.number(),
  currency: z.string().describe('as ISO 4217 names it, such as EUR'),
});
export type PlanPrice = z.infer<typeof planPriceSchema>;

/** What a run would do, as far as reads of the API can tell. Planning changes nothing. */
export function planSchemaOf<O extends z.ZodType<string>, K extends z.ZodType<string>>(
  words: Words<O, K>,
) {
  return z.object({
    operation: words.operation,
    ready: z.boolean().describe('true when no finding is a fault'),
    findings: z.array(planFindingSchema),
    adopts: z
      .array(resourceSchemaOf(words))
      .describe('existing resources that the run would take over'),
    price: planPriceSchema.optional().describe('left out where the API tells none'),
    irreversible: z.array(z.string()).describe('changes that no rollback can undo'),
    calls: z.array(plannedCallSchema).describe('in the order in which the run sends them'),
  });
}
export type Plan = z.infer<ReturnType<typeof planSchemaOf<z.ZodString, z.ZodString>>>;

/** Result of a run with `planOnly`. */
export interface Planned {
  plan: Plan;
}

const faultSchema = z.object({
  path: z.string().describe('where it is, such as instance.interfaces[0].type'),
  message: z.string(),
});

const detailsShapeOf = <K extends z.ZodType<string>>(words: { kind: K }) =>
  ({
    advice: z.string().describe('the next action for a person'),
    operation: z.string().optional(),
    step: z.string().optional(),
    method: z.string().optional(),
    path: z.string().optional(),
    status: z.number().optional().describe('HTTP status of the answer of the API'),
    code: z.string().optional().describe('exception_class of the API'),
    requestId: z.string().optional().describe('request id of the API'),
    taskId: z.string().optional(),
    resources: z
      .array(resourceSchemaOf(words))
      .optional()
      .describe('what exists or may exist because of this run'),
    written: z.string().optional().describe('what the run wrote and leaves in place'),
    faults: z.array(faultSchema).optional().describe('every fault of the input'),
    resetTo: z.string().optional(),
    isThere: z.literal(true).optional(),
    counts: itemCountsSchema.optional().describe('items by outcome, for ItemsFailed'),
  }) satisfies Record<keyof FailureDetails, z.ZodType>;

/** The failure of a run, as Temporal stores it: `details` is the first of its details. */
export function failureSchemaOf<K extends z.ZodType<string>>(words: { kind: K }) {
  return z.object({
    type: z.enum(FailureType),
    message: z.string().describe('for a person; ends with the advice'),
    details: z.object(detailsShapeOf(words)),
  });
}

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
      labels: z.record(z.string(), z.string()).optional().describe('the labels of its input'),
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
