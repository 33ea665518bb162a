import { thisRun } from './this-run.js';
import type { PrepareDeps } from './prepare-deps.js';

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
