import { Context } from '@temporalio/activity';

import { notSentFailure } from './not-sent-failure.js';

const ADVICE = 'Nothing to do: the run gets its turn again, and reads again before it writes.';

/** A call that a run makes in its turn. */
export interface InTurn {
  /** The Run Id of the run that asks for this call, as its history knows it; left out where no run asks. */
  writer?: string | undefined;
}

/**
 * Refuses a call in a turn when an operator has reset its run. The copied events hold the turn and what the run has
 * read in it, and the run before may have given that turn back since. Only the activity knows both Run Ids: the
 * workflow replays the copied events, and must decide then as it did before. It gets its turn again, reads again, and
 * names its new Run Id.
 */
export function refuseInResetRun({ writer }: InTurn): void {
  const { runId } = Context.current().info.workflowExecution ?? {};
  if (writer === undefined || runId === undefined || runId === writer) return;
  throw notSentFailure(`run ${writer} was reset, and its turn may be over`, {
    advice: ADVICE,
    resetTo: runId,
  });
}
