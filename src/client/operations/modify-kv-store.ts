import { withRequestId, type OperationDescriptor } from './operation-descriptor.js';

export const modifyKvStore = {
  urgency: 'normal',
  reuse: 'ALLOW_DUPLICATE_FAILED_ONLY',
  requestId: 'from caller',
  defaults: { allowIrreversible: false, chunkItems: 1_000, force: false, verify: 'sample' },
  readsOnly: false,
  startAgain: withRequestId('kv-push', 'FILE', '--store', 'ID'),
  whereToLook: () => 'The store shows what was written',
  leaves: {
    says: 'What it has written stays in the store',
    next: 'push the values that the keys should have',
  },
  completedWork: ({ items }) => ({
    done: `it has written ${items} items`,
    advice: 'To change the keys again, push the values that they should have.',
  }),
} as const satisfies OperationDescriptor<'modifyKvStore'>;
