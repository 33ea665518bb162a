import { z } from 'zod';

import { FailureType, type FailureDetails } from '../core/failures.js';
import { itemCountsSchema } from './item-counts.js';
import { resourceSchemaOf } from './resource.js';

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
