import type { PrepareDeps } from './prepare-deps.js';

export function createTurnActivities({ cutShortAt }: PrepareDeps) {
  return {
    /**
     * When the last run that kept its turn ended, in milliseconds since the epoch. Such a run was
     * terminated or timed out, and one of its calls may still be in flight.
     */
    turnCutShortAt: ({ turnId }: { turnId: string }): Promise<number | undefined> =>
      cutShortAt?.(turnId) ?? Promise.resolve(undefined),
  };
}
