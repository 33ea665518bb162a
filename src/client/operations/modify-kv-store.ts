import { withRequestId, type OperationDescriptor } from './operation-descriptor.js';

export const modifyKvStore = {
  urgency: 'normal',
  reuse: 'ALLOW_DUPLICATE_FAILED_ONLY',
  requestId: 'from caller',
  defaults: { allowIrreversible: false, chunkItems: 1_000, force: false, verify: 'sample' },
  readsOnly: false,
  startAgain: withRequestId('kv-push', 'FILE', '--store', 'ID'),
  whereToLook: () => 'The store shows what was written',
  completedWork: ({ items }) => ({
    done: `it has written ${items} items`,
    advice: 'To change the keys again, push the values that they should have.',
  }),
} as const satisfies OperationDescriptor<'modifyKvStore'>;
