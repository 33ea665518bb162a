import type { PrepareDeps } from './prepare-deps.js';
import { thisRun } from './this-run.js';

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

export function createEarlierEndActivities({ endedWithoutSuccess }: PrepareDeps) {
  return {
    /**
     * Whether an earlier run of this Workflow Id has ended without success. `false` when it succeeded, and
     * when the server does not know it any more: then it may have succeeded.
     */
    async endedWithoutSuccess({ runId }: { runId: string }): Promise<boolean> {
      const { workflowId } = thisRun();
      return (await endedWithoutSuccess?.({ workflowId, runId })) ?? false;
    },
  };
}
