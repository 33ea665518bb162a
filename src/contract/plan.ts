import { z } from 'zod';

import { Operation } from './names.js';
import { resourceSchema } from './status-document.js';

/** Something that a plan has found. */
export const planFindingSchema = z.object({
  severity: z
    .enum(['fault', 'warning'])
    .describe('fault: the run would not succeed as things are; warning: good to know before'),
  path: z.string().optional().describe('field of the input, such as instance.flavor'),
  message: z.string(),
  advice: z.string().optional(),
});
export type PlanFinding = z.infer<typeof planFindingSchema>;

/** A call that the run would send; those that it repeats while it waits stand in it once. */
const plannedCallSchema = z.object({
  method: z.string(),
  path: z.string(),
  purpose: z.string(),
  times: z.number().optional().describe('so many calls of this kind; one when left out'),
});
export type PlannedCall = z.infer<typeof plannedCallSchema>;

/** What a run would do, as far as reads of the API tell. Nothing was changed to find it out. */
export const planSchema = z.object({
  operation: z.enum(Operation),
  ready: z.boolean().describe('no finding is a fault'),
  findings: z.array(planFindingSchema),
  adopts: z.array(resourceSchema).describe('what is there already and would be taken over'),
  irreversible: z.array(z.string()).describe('what no rollback takes back'),
  calls: z.array(plannedCallSchema).describe('in this order; a person may want to read the writes'),
});
export type Plan = z.infer<typeof planSchema>;

/** Result of a run with `planOnly`. */
export const plannedSchema = z.object({ plan: planSchema });
export type Planned = z.infer<typeof plannedSchema>;
