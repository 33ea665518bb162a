import { z } from 'zod';

import { resourceIdSchema } from '../api/cloud.js';
import { ledgerSchema } from '../documents.js';
import { instanceResource } from '../wire/names.js';
import { placedInputShape } from './common-input.js';
import { defineOperation, withRequestId } from './define-operation.js';

/** Temporal's limit. */
const MAX_WORKFLOW_ID_LENGTH = 1_000;

const idsSchema = z
  .array(resourceIdSchema)
  .min(1, { error: 'must not be empty: use "keep" to delete none' });

function choiceSchema(parts: string) {
  return z.union([z.enum(['delete', 'keep']), idsSchema], {
    error: ({ input }) =>
      input === undefined
        ? `is missing: choose "delete", "keep", or a list of ids of ${parts}`
        : `must be "delete", "keep", or a list of ids (UUIDs) of ${parts}`,
  });
}

/** Which volumes are deleted with an instance. */
export const deletedVolumesSchema = choiceSchema('volumes').describe(
  '"delete" all attached ones, "keep" all, or delete only these ids',
);

/** The fields that identify the instance. Other faults of the input do not matter here. */
const targetView = z.object({ instanceId: z.unknown(), madeBy: z.unknown() }).partial();

/**
 * Input of the workflow `deleteInstance`. There is no `onFailure`: a deletion cannot be undone.
 *
 * @example
 * { madeBy: 'provision-instance/default/order-4711', volumes: 'delete', floatingIps: 'delete' }
 */
export const deleteInstanceInputSchema = z
  .strictObject({
    ...placedInputShape,
    instanceId: resourceIdSchema.optional().describe('id of the instance; give this or madeBy'),
    madeBy: z
      .string()
      .min(1, { error: 'must not be empty' })
      .max(MAX_WORKFLOW_ID_LENGTH, {
        error: `must have at most ${MAX_WORKFLOW_ID_LENGTH} characters`,
      })
      .optional()
      .describe(
        'Workflow Id of the run of provisionInstance that created the instance; it must have succeeded, or something carries its marker',
      ),
    volumes: deletedVolumesSchema,
    floatingIps: choiceSchema('floating IPs').describe(
      '"delete" all attached ones, "keep" all, or delete only these ids',
    ),
    unlessFloatingIpId: resourceIdSchema
      .optional()
      .describe(
        'a floating IP: while it leads to the instance, or to none, the instance is not deleted',
      ),
    unlessSnapshots: z
      .boolean()
      .optional()
      .describe('true: no volume is deleted while there is a snapshot of it, and the run blocks'),
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
        error: 'or "madeBy" is required: give exactly one of them',
        when: () => true,
      },
    ),
  );
/** `delete`: delete all attached ones; `keep`: delete none; a list: delete these ids. */
export type DeleteChoice = z.infer<typeof deleteInstanceInputSchema>['volumes'];

const partsSchema = z.object({
  volumes: z.array(z.string()).describe('ids of volumes'),
  floatingIps: z.array(z.string()).describe('ids of floating IPs'),
});

/** Result of `deleteInstance`: the run has verified that everything chosen is gone. */
const deleteInstanceResultSchema = z.object({
  instanceId: z.string().nullable().describe('null when the request no longer has an instance'),
  name: z.string().nullable().describe('null when the instance was gone already'),
  alreadyGone: z.boolean().describe('true when the first look found no instance'),
  deleted: partsSchema
    .extend({ instance: z.boolean().describe('whether this run deleted the instance') })
    .describe('ids that this run deleted'),
  kept: partsSchema.describe('ids that were not chosen, but attached or created by the request'),
  taskIds: z.array(z.string()).describe('ids of the tasks that the deletions started'),
  ledger: ledgerSchema,
});

export const deleteInstance = defineOperation({
  guarantees:
    'Deletes one instance, and those of its volumes and floating IPs that the input chooses. It succeeds only when it has verified that everything chosen is gone. It deletes only attached or named parts. A deletion cannot be undone.',
  page: 'delete.md',
  shows: [
    'instanceId',
    'madeBy',
    'volumes',
    'floatingIps',
    'unlessFloatingIpId',
    'unlessSnapshots',
  ],
  failures: { always: ['TaskFailed'], blocks: ['OutcomeUnknown', 'RemovalBlocked'] },
  input: deleteInstanceInputSchema,
  result: deleteInstanceResultSchema,
  example: {
    madeBy: 'provision-instance/default/order-4711',
    volumes: 'delete',
    floatingIps: 'delete',
  },
  urgency: 'normal',
  reuse: 'ALLOW_DUPLICATE_FAILED_ONLY',
  repeat: 'now',
  requestId: 'from caller',
  subjects: ({ instanceId, madeBy }) => [
    instanceId === undefined ? `instance of ${madeBy}` : instanceResource(instanceId),
  ],
  readsOnly: false,
  startAgain: withRequestId(
    'delete',
    'INSTANCE_ID',
    '--volumes',
    'WHICH',
    '--floating-ips',
    'WHICH',
  ),
  whereToLook: () => 'The project shows which instances, volumes and floating IPs still exist',
  leaves: { says: 'What it has deleted stays deleted', next: 'nothing to do' },
  completedWork: ({ instanceId, alreadyGone }) => ({
    done: `instance ${instanceId ?? 'of the request'} ${alreadyGone ? 'was gone already' : 'is deleted'}`,
    advice: 'Nothing to do: a deletion cannot be undone.',
  }),
});
