import { Context } from '@temporalio/activity';

import { runIdOf } from '../core/identity.js';
import type { Group } from './activity-groups.js';
import { notSentFailure } from './not-sent-failure.js';

const ADVICE =
  'Nothing to do: the run looks again, in its turn, for what was made or changed since.';

/** What the input of every change says about the run that asks for it, as its history knows it. */
export interface Signed {
  /** Its Run Id; left out where no run asks. */
  writer?: string;
  /** How it signs what it makes, and what it has looked for. Only of a create. */
  maker?: string;
}

/**
 * The changes as a worker registers them: none is sent when an operator has reset its run. The copied events hold what
 * the run has looked at, and its turn. It may have sent the same call after that, given back the turn, or never sent a
 * call that is now queued anew. Only the activity knows both Run Ids: the workflow replays the copied events, and must
 * decide then as it did before.
 */
export function refuseInResetRuns<G extends Group>(changes: G): G;
export function refuseInResetRuns(changes: Group): Group {
  return Object.fromEntries(
    Object.entries(changes).map(([name, change]) => [
      name,
      async (input: never) => {
        refuseInResetRun(input);
        return change(input);
      },
    ]),
  );
}

function refuseInResetRun({ writer, maker }: Signed): void {
  const { runId } = Context.current().info.workflowExecution ?? {};
  const names = [writer, maker && runIdOf(maker)];
  const before = names.find((name) => name !== undefined && name !== runId);
  if (writer === undefined || runId === undefined || before === undefined) return;
  throw notSentFailure(`run ${before} was reset, and what it has seen may be old`, {
    advice: ADVICE,
    resetTo: runId,
  });
}
