import { withRequestId, type OperationDescriptor } from './operation-descriptor.js';

export const importVideos = {
  // One import sends thousands of calls: all other runs go first.
  urgency: 'bulk',
  reuse: 'ALLOW_DUPLICATE_FAILED_ONLY',
  requestId: 'from caller',
  defaults: { tolerate: { count: 0 }, waitFor: 'viewable' },
  readsOnly: false,
  startAgain: withRequestId('import', 'FILE'),
  whereToLook: () => 'The list of videos shows what it has created',
  leaves: {
    says: 'The videos that it has created are kept: its report names them',
    next: 'delete the videos that you do not want',
  },
  completedWork: ({ counts }) => ({
    done: `it has imported ${counts.succeeded} videos`,
    advice: 'Delete the videos that you do not want; the result names them.',
  }),
} as const satisfies OperationDescriptor<'importVideos'>;
