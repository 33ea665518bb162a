import { timeOfEnd } from './check-input.js';
import { runOfActivity } from '../../engine/activities/run-of-activity.js';
import type { PrepareDeps } from './prepare-deps.js';
import { thisRun } from './this-run.js';

export interface HeldTurn {
  turnId: string;
  /** The time of the run, in milliseconds since the epoch. */
  now: number;
}

/** Longer than any grace time. */
const LONG_AGO_MS = 24 * 3_600_000;

export function createTurnActivities({ cutShortAt }: PrepareDeps) {
  return {
    /**
     * When the last run that kept its turn ended at the latest, in milliseconds since the epoch. Such a run was
     * terminated or timed out, and one of its calls may still be in flight. It ended before `now`, when this run got the
     * turn. `undefined` too where that is so long ago that no call can arrive any more.
     */
    async turnCutShortAt({ turnId, now }: HeldTurn): Promise<number | undefined> {
      const end = await cutShortAt?.(turnId);
      if (end === undefined) return undefined;
      const at = timeOfEnd(end, now);
      return now - at > LONG_AGO_MS ? undefined : at;
    },
  };
}

export function createRunIdActivities() {
  return { currentRunId: () => Promise.resolve(runOfActivity().runId) };
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
