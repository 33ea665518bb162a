import { withRequestId, type OperationDescriptor } from './operation-descriptor.js';

export const deleteInstance = {
  urgency: 'normal',
  reuse: 'ALLOW_DUPLICATE_FAILED_ONLY',
  requestId: 'from caller',
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
} as const satisfies OperationDescriptor<'deleteInstance'>;
