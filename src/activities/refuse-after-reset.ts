import { Context } from '@temporalio/activity';

import { isRunMaker, namespaceIdOf, runIdOf, toMaker } from '../contract/maker.js';
import { notSentFailure } from './not-sent-failure.js';

const ADVICE = 'Nothing to do: the run looks for what was made after the point of the reset.';

/**
 * Refuses a call when an operator has reset its run. The copied events hold what the run knew before the
 * reset. It may have sent the same call after that. Only the activity knows both runs: the workflow
 * replays the copied events, and must decide then as it did before.
 *
 * @param maker the run that looked before the call
 */
export function refuseAfterReset(maker: string): void {
  if (!isRunMaker(maker)) return;
  const { runId } = Context.current().info.workflowExecution ?? {};
  if (runId === undefined) return;
  if (runIdOf(maker) === runId) return;
  const events = `the run was reset, and its events are those of run ${runIdOf(maker)}`;
  throw notSentFailure(events, {
    advice: ADVICE,
    resetTo: toMaker(namespaceIdOf(maker), runId),
  });
}
