import {
  leavesNothing,
  lookForTag,
  withRequestId,
  type OperationDescriptor,
} from './operation-descriptor.js';

export const provisionInstance = {
  urgency: 'normal',
  reuse: 'ALLOW_DUPLICATE_FAILED_ONLY',
  requestId: 'from caller',
  defaults: { onFailure: 'rollback', waitFor: 'active' },
  readsOnly: false,
  startAgain: withRequestId('provision', '--file', 'FILE'),
  whereToLook: lookForTag,
  leaves: leavesNothing,
  completedWork: ({ instanceId }) => ({
    done: `instance ${instanceId} exists`,
    advice: 'Delete the instance if you do not want it.',
  }),
} as const satisfies OperationDescriptor<'provisionInstance'>;
