import { ApplicationFailure, Context } from '@temporalio/activity';

import type { FirstEvent } from '../../engine/core/prepared-run.js';
import type { Resource } from '../../engine/core/status.js';
import { runBefore, timeOfEnd } from './check-input.js';
import { runOfActivity } from '../../engine/activities/run-of-activity.js';
import type { LeftBefore, PrepareDeps } from './prepare-deps.js';
import { thisRun } from './this-run.js';

export interface HeldTurn {
  turnId: string;
  /** The time of the run, in milliseconds since the epoch. */
  now: number;
}

export interface LeftAsked extends Omit<Parameters<LeftBefore>[0], 'workflowId' | 'ranBefore'> {
  first: FirstEvent;
}

export function createTurnActivities({ cutShortAt }: PrepareDeps) {
  return {
    /**
     * When the last run that kept its turn ended at the latest, in milliseconds since the epoch. Such a run was
     * terminated or timed out, and one of its calls may still be in flight. It ended before `now`, when this run got the
     * turn.
     */
    async turnCutShortAt({ turnId, now }: HeldTurn): Promise<number | undefined> {
      const end = await cutShortAt?.(turnId);
      return end === undefined ? undefined : timeOfEnd(end, now);
    },
  };
}

export function createRunIdActivities() {
  return { currentRunId: () => Promise.resolve(runOfActivity().runId) };
}

/** A run that cannot be asked, as one of a version that nobody has any more, holds up no other one. */
const MOST_TRIES = 3;

export function createEarlierEndActivities({ endedWithoutSuccess, leftBefore }: PrepareDeps) {
  return {
    /**
     * What earlier runs of this request still named when they ended without success, see `LeftBefore`; `undefined`: nobody
     * can tell.
     */
    async leftBefore({ first, ...told }: LeftAsked): Promise<Resource[] | undefined> {
      const { info, log } = Context.current();
      if (info.attempt > MOST_TRIES) return undefined;
      const { workflowId } = thisRun();
      const ranBefore = runBefore(first);
      const asked = { ...told, workflowId, ...(ranBefore !== undefined && { ranBefore }) };
      try {
        return leftBefore === undefined ? [] : await leftBefore(asked);
      } catch (error) {
        log.warn('An earlier run of the request cannot be asked what it has left', { error });
        throw ApplicationFailure.retryable('an earlier run of the request cannot be asked now');
      }
    },

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
