import { kvStoreResource } from '../../../contract/wire/names.js';
import { StepState } from '../../../engine/core/status.js';
import type { StepRecorder } from '../../../engine/run/ledger.js';
import { takeOnlyTurns } from '../../../engine/steps/step.js';
import type { KvRun } from './plan-kv-chunks.js';

/**
 * Lets one run at a time write into a store, whatever the Workflow Ids. When the last writer was
 * terminated, one of its calls may still be on its way and overwrite what is written now. The run waits
 * until that is over.
 */
export async function takeStoreTurn(run: KvRun, step: StepRecorder): Promise<void> {
  step.set(StepState.waiting);
  await takeOnlyTurns(run, [kvStoreResource(run.prepared.storeId)]);
  step.set(StepState.verified);
}
