import { reportQuery } from '../../contract/wire/messages.js';
import { Operation } from '../../contract/wire/names.js';
import type { ImportVideosInput, ImportVideosResult } from '../../contract/operations/types.js';
import type { Planned } from '../../engine/schema/documents.js';
import { planOrRun } from '../gcore.js';
import { onQuery } from '../../engine/run/on-message.js';
import { prepareActivities } from '../shared/prepare-activities.js';
import { refuseUnknownFields } from '../../engine/run/refuse-unknown-fields.js';
import { admitEarlier } from '../../engine/send/name-earlier.js';
import { restartOnCorrectedInput } from '../../engine/run/restart-on-corrected-input.js';
import { planImportVideos } from './plan/plan-import-videos.js';
import { checkItems, IMPORT_STEPS } from './steps/check-items.js';
import { importAll } from './steps/import-all.js';
import { createVideoHints } from './steps/video-hints.js';
import {
  EMPTY_REPORT,
  STATE_FIELDS,
  toImport,
  toReport,
  type ImportState,
} from './steps/import-state.js';

/**
 * Imports videos by reference or inline, in batches, and follows each video to the requested state.
 *
 * Every line ends in one of three ways: made and done, failed with a class and a text, or not tried. No
 * video is made twice, however often answers are lost. Videos that were made are always kept. A long run
 * continues in a new history, with everything that this one knows.
 * Answers the queries `status` (counts) and `report` (every line) and the updates `pause`, `resume` and
 * `abort`. The signal `videosChanged` lets it look earlier. Blocks on problems that need a person (`Unauthorized`, `QuotaExceeded`, `OutcomeUnknown`,
 * `ResourceBusy`, `ManifestUnreadable`); with `onBlocked: 'fail'` it fails instead.
 * With `planOnly` it sends nothing and returns a plan.
 * Fails as `ItemsFailed` when more videos fail than `tolerate` allows, after all were tried or after the
 * canary. Fails also as `InvalidInput`, `InvalidRequest`, `NotFound`, `DeadlineExceeded` or `Aborted`.
 *
 * @param before the state that an earlier history of the same run handed over.
 */
export async function importVideos(
  input: ImportVideosInput,
  before?: ImportState,
): Promise<ImportVideosResult | Planned> {
  refuseUnknownFields('the state', before, STATE_FIELDS);
  let report = () => EMPTY_REPORT;
  onQuery(reportQuery, () => report());
  const hints = createVideoHints();
  return planOrRun(
    {
      operation: Operation.importVideos,
      steps: Object.values(IMPORT_STEPS),
      creatingStep: IMPORT_STEPS.create,
      input,
      earlier: before,
      prepare: prepareActivities.prepareImportVideos,
      plan: planImportVideos,
    },
    async (run) => {
      let state = before;
      // A later history knows of each batch that it hands over what has become of it.
      if (state === undefined) admitEarlier(run, run.ledger.step(IMPORT_STEPS.create));
      return restartOnCorrectedInput(run, async () => {
        const current = state === undefined ? await checkItems(run) : toImport(run, state);
        // A corrected input has no earlier history.
        state = undefined;
        report = () => toReport(run, current);
        return importAll(run, current, hints);
      });
    },
  );
}
