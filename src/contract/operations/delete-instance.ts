import { z } from 'zod';

import { resourceIdSchema } from '../api/common.js';
import { stepStatusSchema } from '../status-document.js';
import { commonInputShape } from './common-input.js';

/** The longest Workflow Id that Temporal takes. */
const MAX_WORKFLOW_ID = 1_000;

const idsSchema = z
  .array(resourceIdSchema)
  .min(1, { error: 'must not be empty: "keep" deletes none of them' });

/** What happens to the volumes, or to the floating IPs, of the instance. */
function choiceSchema(things: string) {
  return z.union([z.enum(['delete', 'keep']), idsSchema], {
    error: ({ input }) =>
      input === undefined
        ? `is missing: say what happens to the ${things}: "delete", "keep", or a list of ids`
        : `must be "delete", "keep", or a list of ids (UUIDs) of ${things}`,
  });
}

/** The fields that say which instance is meant, whatever else is wrong with the input. */
const targetView = z.object({ instanceId: z.unknown(), madeBy: z.unknown() }).partial();

/**
 * Input of the workflow `deleteInstance`. There is no `onFailure`: a deletion cannot be undone.
 *
 * @example
 * { madeBy: 'provision-instance/default/order-4711', volumes: 'delete', floatingIps: 'delete' }
 */
export const deleteInstanceInputSchema = z
  .strictObject({
    account: commonInputShape.account,
    projectId: commonInputShape.projectId,
    regionId: commonInputShape.regionId,
    onBlocked: commonInputShape.onBlocked,
    deadline: commonInputShape.deadline,
    planOnly: commonInputShape.planOnly,
    instanceId: resourceIdSchema.optional().describe('the instance, by its id'),
    madeBy: z
      .string()
      .min(1, { error: 'must not be empty' })
      .max(MAX_WORKFLOW_ID, { error: `must have at most ${MAX_WORKFLOW_ID} characters` })
      .optional()
      .describe('Workflow Id of the run of provisionInstance that made the instance'),
    volumes: choiceSchema('volumes').describe(
      '"delete" all that are attached, "keep" all, or delete only these ids',
    ),
    floatingIps: choiceSchema('floating IPs').describe(
      '"delete" all that are attached, "keep" all, or delete only these ids',
    ),
  })
  .check(
    z.refine(
      (input: unknown) => {
        const seen = targetView.safeParse(input);
        if (!seen.success) return true;
        const { instanceId, madeBy } = seen.data;
        return (instanceId === undefined) !== (madeBy === undefined);
      },
      {
        path: ['instanceId'],
        error: 'or "madeBy" is needed: give exactly one of the two',
        when: () => true,
      },
    ),
  );
export type DeleteInstanceInput = z.infer<typeof deleteInstanceInputSchema>;
/** `delete`: all that are attached; `keep`: none; else these ids. */
export type DeleteChoice = DeleteInstanceInput['volumes'];

const partsSchema = z.object({
  volumes: z.array(z.string()),
  floatingIps: z.array(z.string()),
});

/** Result of `deleteInstance`: everything that was chosen has been looked at and is gone. */
export const deleteInstanceResultSchema = z.object({
  instanceId: z.string().nullable().describe('null when the request has no instance any more'),
  name: z.string().nullable().describe('null when the instance was gone already'),
  alreadyGone: z.boolean().describe('true when the first look found no instance'),
  deleted: partsSchema.extend({ instance: z.boolean() }).describe('ids that this run has deleted'),
  kept: partsSchema.describe('ids that were attached, or made by the request, and not chosen'),
  taskIds: z.array(z.string()).describe('of the deletions'),
  ledger: z.array(stepStatusSchema),
});
export type DeleteInstanceResult = z.infer<typeof deleteInstanceResultSchema>;
