import type { OperationDescriptor } from './operation-descriptor.js';

export const listSshKeys = {
  urgency: 'normal',
  reuse: 'ALLOW_DUPLICATE_FAILED_ONLY',
  requestId: 'from caller',
  readsOnly: true,
  startAgain: () => ['ssh-keys'],
  whereToLook: () => 'It only reads: there is nothing to look for',
  leaves: { says: 'It only reads: nothing was changed', next: 'nothing to do' },
  completedWork: ({ count }) => ({
    done: `it has read ${count} keys`,
    advice: 'Nothing to do: it only reads.',
  }),
} as const satisfies OperationDescriptor<'listSshKeys'>;
