import type { RunBatchInput, RunBatchResult } from '../../contract/operations/types.js';
import { batchReportQuery } from '../../contract/wire/messages.js';
import { Operation } from '../../contract/wire/names.js';
import { onQuery } from '../../engine/run/on-message.js';
import { refuseUnknownFields } from '../../engine/run/refuse-unknown-fields.js';
import { restartOnCorrectedInput } from '../../engine/run/restart-on-corrected-input.js';
import type { Planned } from '../../engine/schema/documents.js';
import { planOrRun } from '../gcore.js';
import { prepareActivities } from '../shared/prepare-activities.js';
import { planRunBatch } from './plan/plan-run-batch.js';
import { answerRepeats } from './steps/answer-repeats.js';
import {
  emptyReport,
  STATE_FIELDS,
  toBatch,
  toReport,
  type Batch,
  type BatchRun,
  type BatchState,
} from './steps/batch-state.js';
import { BATCH_STEPS, checkItems } from './steps/check-items.js';
import { leaveUnread } from './steps/leave-items.js';
import { runItems } from './steps/run-items.js';

/**
 * Runs one operation for each item of a list, a few at the same time.
 *
 * Each item is a request of its own with its own Workflow Id: the batch starts its run or joins the one that it has, and
 * follows it to its end. The runs need nothing of the batch, and go on when it ends.
 * Answers the queries `status` (counts) and `report` (every line) and the updates `pause` (no further item is started),
 * `resume` (also of its blocked runs), `abort` and `join` (of whoever repeats it: its runs are asked once more). Blocks when none of its items can go on, and as `ManifestUnreadable`.
 * Fails as `ItemsFailed` when more items fail than `tolerate` allows. Fails also as `InvalidInput`, `DeadlineExceeded` or
 * `Aborted`.
 *
 * @param before the state that an earlier history of the same run handed over.
 */
export async function runBatch(
  input: RunBatchInput,
  before?: BatchState,
): Promise<RunBatchResult | Planned> {
  refuseUnknownFields('the state', before, STATE_FIELDS);
  let report = () => emptyReport(input);
  onQuery(batchReportQuery, () => report());
  const repeats = answerRepeats();
  return planOrRun(
    {
      operation: Operation.runBatch,
      steps: Object.values(BATCH_STEPS),
      creatingStep: BATCH_STEPS.run,
      input,
      earlier: before,
      prepare: prepareActivities.prepareRunBatch,
      plan: planRunBatch,
      // Who may see the batch is judged by it.
      unchangeableField: (earlier, corrected) =>
        earlier.terms.operation === corrected.terms.operation ? undefined : 'operation',
    },
    async (run) => {
      let state = before;
      return restartOnCorrectedInput(run, async (assertInput) => {
        const show = (batch: Batch): void => {
          report = () => toReport(batch);
        };
        const batch = state === undefined ? await readBatch(run, show) : toBatch(run, state);
        // A corrected input has no earlier history.
        state = undefined;
        assertInput();
        show(batch);
        repeats.follow(run, batch);
        return runItems(run, batch, repeats.end);
      }).finally(repeats.end);
    },
  );
}

async function readBatch(run: BatchRun, onLeft: (batch: Batch) => void): Promise<Batch> {
  try {
    return await checkItems(run);
  } catch (error) {
    await leaveUnread(run, error, onLeft);
    throw error;
  }
}
