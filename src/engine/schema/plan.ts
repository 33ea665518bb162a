import { z } from 'zod';

import { resourceSchemaOf, type Words } from './resource.js';

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
    irreversible: z.array(z.string()).describe('changes that no rollback can undo'),
    calls: z.array(plannedCallSchema).describe('in the order in which the run sends them'),
  });
}
export type Plan = z.infer<ReturnType<typeof planSchemaOf<z.ZodString, z.ZodString>>>;

/** Result of a run with `planOnly`. */
export interface Planned {
  plan: Plan;
}
