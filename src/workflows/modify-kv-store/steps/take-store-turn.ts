import { proxyLocalActivities } from '@temporalio/workflow';

import type { createPrepareActivities } from '../../../activities/prepare.js';
import { kvStoreResource, turnIdFor } from '../../../contract/names.js';
import { StepState } from '../../../contract/status.js';
import type { StepRecorder } from '../../engine/run/ledger.js';
import type { Turn } from '../../engine/run/run-types.js';
import { takeTurn } from '../../engine/turns/turns.js';
import { waitOutLostCalls } from '../../engine/wait/wait-until.js';
import type { KvRun } from './plan-kv-chunks.js';

const { turnCutShortAt } = proxyLocalActivities<ReturnType<typeof createPrepareActivities>>({
  startToCloseTimeout: '5 seconds',
});

/**
 * One writer of a store at a time, whatever the Workflow Ids. When the last one was terminated in
 * the middle, a call of it may still be on its way and would overwrite what is written now: that
 * is waited out.
 */
export async function takeStoreTurn(run: KvRun, step: StepRecorder): Promise<Turn> {
  const { account, storeId } = run.prepared;
  const resource = kvStoreResource(storeId);
  step.set(StepState.waiting);
  const turn = await takeTurn(run, resource);
  const recorded = await turnCutShortAt({ turnId: turnIdFor(account, resource) });
  await waitOutLostCalls(
    run,
    Math.max(recorded ?? -Infinity, turn.cutShortAt ?? -Infinity),
    'calls of a run that was cut short, as long as they may still arrive',
  );
  step.set(StepState.verified);
  return turn;
}
