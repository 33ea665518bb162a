import { withRequestId, type OperationDescriptor } from './operation-descriptor.js';

export const grantSftpAccess = {
  urgency: 'normal',
  reuse: 'ALLOW_DUPLICATE_FAILED_ONLY',
  requestId: 'from caller',
  defaults: { onFailure: 'rollback' },
  readsOnly: false,
  startAgain: withRequestId('grant-sftp', 'STORAGE', '--key', 'NAME'),
  whereToLook: () => 'The storage shows which keys are linked to it',
  leaves: {
    says: 'No key that it has linked is still linked, as far as it knows',
    next: 'nothing to do',
    undoes: true,
  },
  completedWork({ keys, storageId }) {
    const names = keys.filter(({ linked }) => linked).map(({ name }) => name);
    if (names.length === 0) {
      return {
        done: 'all keys were linked before',
        advice: 'Nothing to do: it changed nothing.',
      };
    }
    return {
      done: `it has linked ${names.join(', ')} to SFTP storage ${storageId}`,
      advice: 'Unlink the keys if you do not want them.',
    };
  },
} as const satisfies OperationDescriptor<'grantSftpAccess'>;
