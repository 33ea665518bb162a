import { latestOf } from '../../../contract/latest-of.js';
import { kvStoreResource, turnIdFor } from '../../../contract/names.js';
import { StepState } from '../../../contract/status.js';
import type { StepRecorder } from '../../engine/run/ledger.js';
import { prepareActivities } from '../../engine/run/prepare-activities.js';
import type { Turn } from '../../engine/run/run-types.js';
import { takeTurn } from '../../engine/turns/turns.js';
import { waitOutLostCalls } from '../../engine/wait/wait-until.js';
import type { KvRun } from './plan-kv-chunks.js';

/**
 * Lets one run at a time write into a store, whatever the Workflow Ids. When the last writer was
 * terminated, one of its calls may still be on its way and overwrite what is written now. The run waits
 * until that is over.
 */
export async function takeStoreTurn(run: KvRun, step: StepRecorder): Promise<Turn> {
  const { account, storeId } = run.prepared;
  const resource = kvStoreResource(storeId);
  step.set(StepState.waiting);
  const turn = await takeTurn(run, resource);
  const recorded = await prepareActivities.turnCutShortAt({ turnId: turnIdFor(account, resource) });
  await waitOutLostCalls(
    run,
    latestOf(recorded, turn.cutShortAt),
    'late calls of a terminated run',
  );
  step.set(StepState.verified);
  return turn;
}
