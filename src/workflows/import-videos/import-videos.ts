import { proxyLocalActivities, setHandler } from '@temporalio/workflow';

import type { createPrepareActivities } from '../../activities/prepare.js';
import { reportQuery } from '../../contract/messages.js';
import { Operation } from '../../contract/names.js';
import type {
  ImportVideosInput,
  ImportVideosResult,
} from '../../contract/operations/import-videos.js';
import type { Planned } from '../../contract/plan.js';
import { planOrRun } from '../engine/plan/plan-or-run.js';
import { restartOnCorrectedInput } from '../engine/run/restart-on-corrected-input.js';
import { planImportVideos } from './plan/plan-import-videos.js';
import { checkItems } from './steps/check-items.js';
import { importAll, IMPORT_STEPS } from './steps/import-all.js';
import { EMPTY_REPORT, toImport, toReport, type ImportState } from './steps/import-state.js';

const { prepareImportVideos } = proxyLocalActivities<ReturnType<typeof createPrepareActivities>>({
  startToCloseTimeout: '5 seconds',
});

/**
 * Imports videos by reference or inline, in batches, and follows each to what was asked for.
 *
 * Every line ends in one of: made and done, failed with a class and a text, or not tried. No video
 * is made twice, however often answers are lost; what was made is kept, always. Goes on in a new
 * history when this one gets long. Answers the queries `status` (counts) and `report` (every line).
 * With `planOnly` nothing is sent: the result is a plan.
 * Blocks as `Unauthorized`, `QuotaExceeded`, `OutcomeUnknown` and `ManifestUnreadable`.
 * Fails as `ItemsFailed` when more failed than `tolerate` allows, after all were tried (or after the
 * canary); as `InvalidInput`, `InvalidRequest`, `NotFound`, `DeadlineExceeded` or `Aborted`.
 *
 * @param before how far an earlier history of the same run had come.
 */
export async function importVideos(
  input: ImportVideosInput,
  before?: ImportState,
): Promise<ImportVideosResult | Planned> {
  let report = () => EMPTY_REPORT;
  setHandler(reportQuery, () => report());
  return planOrRun(
    {
      operation: Operation.importVideos,
      steps: Object.values(IMPORT_STEPS),
      creatingStep: IMPORT_STEPS.create,
      input,
      prepare: prepareImportVideos,
      plan: planImportVideos,
    },
    async (run) => {
      let state = before;
      return restartOnCorrectedInput(run, async () => {
        const check = await run.begin(IMPORT_STEPS.check);
        const current = state === undefined ? await checkItems(run, check) : toImport(run, state);
        // Another input has no earlier history.
        state = undefined;
        report = () => toReport(run, current);
        return importAll(run, current);
      });
    },
  );
}
