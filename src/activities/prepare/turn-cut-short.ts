import type { PrepareDeps } from './prepare-deps.js';

export function createTurnActivities({ cutShortAt }: PrepareDeps) {
  return {
    /**
     * When the last turn that was not given back ended, in milliseconds since the epoch: its run was
     * terminated, and a call of it may still be on its way.
     */
    turnCutShortAt: ({ turnId }: { turnId: string }): Promise<number | undefined> =>
      cutShortAt?.(turnId) ?? Promise.resolve(undefined),
  };
}
