import { isCancellation, TemporalFailure } from '@temporalio/workflow';

import type { ListVideosInput, ListVideosResult } from '../contract/operations/types.js';
import { Operation } from '../contract/wire/names.js';
import { paths } from '../contract/wire/paths.js';
import type { PreparedListVideos } from '../contract/wire/prepared.js';
import { countRanges } from '../engine/core/number-ranges.js';
import { StepState } from '../engine/core/status.js';
import { plural } from '../engine/core/text.js';
import { createDraft } from '../engine/plan/planning.js';
import type { StepRecorder } from '../engine/run/ledger.js';
import { restartOnCorrectedInput } from '../engine/run/restart-on-corrected-input.js';
import type { Plan, Planned } from '../engine/schema/documents.js';
import { findUnlessGone } from '../engine/wait/find-unless-gone.js';
import { planOrRun, type PlanRun, type Run } from './gcore.js';
import { prepareActivities } from './shared/prepare-activities.js';

const READ = 'read videos';

/**
 * Reads what the API says of some videos, by their ids.
 *
 * An id is missing when the API does not list it, although the list was read to its end, and does not find it by its id either;
 * of more than 50, when the list lacks them again two minutes later. Changes nothing at the API, so
 * there is nothing to undo.
 * Answers the query `status` and the updates `pause`, `resume` and `abort`. Blocks while the API refuses the API key
 * (`Unauthorized`); with `onBlocked: 'fail'` it fails instead. It waits for the end of an outage.
 * With `planOnly` it returns a plan.
 * Fails as `InvalidInput`, `InvalidRequest`, `NotFound`, `UnexpectedResponse`, `DeadlineExceeded` or `Aborted`.
 */
export async function listVideos(input: ListVideosInput): Promise<ListVideosResult | Planned> {
  return planOrRun(
    {
      operation: Operation.listVideos,
      steps: [READ],
      input,
      prepare: prepareActivities.prepareListVideos,
      plan: planListVideos,
    },
    async (run) => readVideos(run, await run.begin(READ)),
  );
}

type ListRun = Run<PreparedListVideos, ListVideosInput>;

async function readVideos(run: ListRun, step: StepRecorder): Promise<ListVideosResult> {
  step.set(StepState.waiting);
  try {
    const read = await restartOnCorrectedInput(run, async () => {
      await run.controls.untilUnpaused();
      return readForSure(run);
    });
    step.set(StepState.verified, { note: noteOf(read) });
    return read;
  } catch (error) {
    if (error instanceof TemporalFailure) step.set(StepState.failed, { note: whyFailed(error) });
    throw error;
  }
}

/** What is missing in a list and by its id does not exist. Where that is too much to read, the list is asked again, when it has settled. */
async function readForSure(run: ListRun): Promise<ListVideosResult> {
  const { ids } = run.input;
  const options = { summary: plural(countRanges(ids), 'video') };
  let last: ListVideosResult = { videos: [], missing: ids };
  await findUnlessGone(run, {
    name: 'the videos that the list lacks',
    async look() {
      const call = { ids, fields: run.prepared.fields };
      const { isSure, ...read } = await run.api.reads.readVideos.executeWithOptions(options, [
        call,
      ]);
      last = read;
      return isSure ? read : undefined;
    },
  });
  return last;
}

function noteOf({ videos, missing }: ListVideosResult): string {
  const gone = missing === '' ? '' : `, ${countRanges(missing)} not listed`;
  return `${plural(videos.length, 'video')}${gone}`;
}

function whyFailed(error: TemporalFailure): string {
  return isCancellation(error) ? 'ended before the videos were read' : 'they could not be read';
}

/** Plans `listVideos`: whether the videos may be read, and which of them the API does not list. */
async function planListVideos({
  input: { ids },
  reads,
}: PlanRun<PreparedListVideos, ListVideosInput>): Promise<Plan> {
  const draft = createDraft(Operation.listVideos);
  const seen = await draft.look('the videos', () => reads.readVideos({ ids, fields: [] }), 'ids');
  if (seen.is === 'there' && seen.value.missing !== '') {
    draft.warn({
      path: 'ids',
      message: `names videos that the API does not list: ${seen.value.missing}`,
      advice: 'Nothing to do: the result names them as missing.',
    });
  }
  draft.calls.push({
    method: 'GET',
    path: paths.videos(),
    purpose: `read ${plural(countRanges(ids), 'video')} by their ids`,
  });
  return draft.finish();
}
