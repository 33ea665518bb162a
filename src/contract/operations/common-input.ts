import { z } from 'zod';

import { durationSchema } from '../../engine/schema/parse-input.js';
import { ACCOUNT_NAME } from '../../engine/core/names.js';
import { labelsSchema } from '../../engine/schema/labels.js';
import { notifySchema } from '../../engine/schema/notify.js';

export const idSchema = z
  .number()
  .refine((id) => Number.isSafeInteger(id) && id > 0, { error: 'must be a whole number above 0' });

/** Fields that every workflow input has. */
export const accountInputShape = {
  account: z
    .string()
    .regex(ACCOUNT_NAME, {
      error: 'must be the name of an account of the worker: lower-case letters, digits, "-"',
    })
    .optional()
    .describe(
      'name of the API key to use, as in GCORE_ACCOUNT of a worker; "default" when left out',
    ),
  onBlocked: z
    .enum(['wait', 'fail'])
    .optional()
    .describe(
      'when the run needs a person (a revoked key, a quota, capacity): wait (default) or fail immediately',
    ),
  planOnly: z
    .boolean()
    .optional()
    .describe('true: change nothing; the result is a plan of what the run would do'),
  deadline: durationSchema
    .optional()
    .describe('such as "30 minutes"; a run that takes longer fails as DeadlineExceeded'),
  labels: labelsSchema
    .optional()
    .describe(
      'words by which runs are found together, such as {"group":"incident-42","team":"media"}; up to eleven',
    ),
  notify: notifySchema
    .optional()
    .describe(
      'webhooks: who is told about this run, instead of the receivers that the worker has for the account',
    ),
};

/** Fields of the operations in a project and a region. */
export const placedInputShape = {
  ...accountInputShape,
  projectId: idSchema
    .optional()
    .describe('id of the project; GCORE_CLOUD_PROJECT_ID of the worker when left out'),
  regionId: idSchema
    .optional()
    .describe('id of the region; GCORE_CLOUD_REGION_ID of the worker when left out'),
};

/** Fields of the operations that create resources in a project and a region. */
export const commonInputShape = {
  ...placedInputShape,
  onFailure: z
    .enum(['rollback', 'keep'])
    .optional()
    .describe(
      'what happens to created resources when the run fails or is cancelled; rollback when left out',
    ),
};

/** The fields that many inputs have, as `shows` names them: of a receiver only its signing secret, by name. */
export const COMMON_SHOWN: readonly string[] = [
  ...[
    'account',
    'onBlocked',
    'planOnly',
    'deadline',
    'labels.*',
    'notify.secretName',
    'notify.events',
  ],
  ...['projectId', 'regionId', 'onFailure'],
];
