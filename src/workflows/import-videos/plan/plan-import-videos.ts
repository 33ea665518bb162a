import { plural } from '../../../engine/core/text.js';
import type { PreparedImportVideos } from '../../../contract/wire/prepared.js';
import type { SurveyedVideos } from '../../../activities/scan-videos.js';
import { ALL_OF_OTHERS, Operation, ResourceKind } from '../../../contract/wire/names.js';
import { countRanges, fromRanges } from '../../../engine/core/number-ranges.js';
import type { ImportVideosInput } from '../../../contract/operations/types.js';
import { secretPlaces } from '../../../contract/wire/secret-ref.js';
import type { Plan } from '../../../engine/schema/documents.js';
import { createDraft, type Draft } from '../../../engine/plan/planning.js';
import type { PlanRun } from '../../gcore.js';
import {
  ANOTHER_LIST,
  inlineList,
  isSameList,
  manifestOf,
  toBatches,
} from '../steps/check-items.js';
import { BATCH_CALL_OPTIONS, toVideoBatch } from '../steps/create-video-batch.js';
import { doubtOf, judgeFound } from '../steps/judge-found.js';
import { fitsOneRun, TOO_SCATTERED } from '../steps/handed-size.js';
import type { ImportBatch } from '../steps/import-batch.js';
import type { VideoList } from '../steps/import-state.js';
import { surveyVideos } from '../steps/scan-videos.js';
import { checkSecrets } from '../../shared/plan/plan-parts.js';
import { importCalls, warnAboutVideos, type PlannedBatch } from './import-calls.js';

type ImportPlanRun = PlanRun<PreparedImportVideos, ImportVideosInput>;

interface SurveyedList extends VideoList {
  facts: SurveyedVideos['facts'];
}

/**
 * Plans `importVideos`: whether every line of the list is sound, which lines have a video of an earlier
 * try, and how many calls the others need. It does not check the origins: the service fetches them.
 */
export async function planImportVideos(run: ImportPlanRun): Promise<Plan> {
  const draft = createDraft(Operation.importVideos);
  const path = run.input.manifest === undefined ? 'videos' : 'manifest';
  const list = await readList(run, draft);
  if (list === undefined) return draft.finish();
  if (!isSameList(run.prepared, list.digest)) {
    draft.fault({ path, ...ANOTHER_LIST });
    return draft.finish();
  }
  const { input, prepared } = run;
  if (!fitsOneRun({ input, prepared, batches: list.batches })) {
    draft.fault({ path: 'lines', ...TOO_SCATTERED });
    return draft.finish();
  }
  warnAboutVideos(draft, path, list.facts);
  await checkSecrets(run, draft, list.facts.secrets ?? []);
  const { waitFor, canary } = run.prepared;
  warnAboutCanary(draft, canary, list.batches);
  const { batches, looks } = await lookForVideos(run, draft, { list, path });
  draft.calls.push(...importCalls({ batches, looks, waitFor, canary }));
  draft.irreversible.push('Videos that were made stay and cost money, however the run ends.');
  return draft.finish();
}

async function readList(
  { input, prepared }: ImportPlanRun,
  draft: Draft,
): Promise<SurveyedList | undefined> {
  const wanted = manifestOf(input);
  if (wanted === undefined) {
    const list = inlineList({ input, prepared });
    const asked = list.batches.flatMap(({ lines }) => [...fromRanges(lines)]);
    const videos = asked.flatMap((line) => input.videos?.[line - 1] ?? []);
    const uploads = videos.filter(({ origin_url: url }) => (url ?? undefined) === undefined).length;
    const secrets = asked.flatMap((line) =>
      secretPlaces(input.videos?.[line - 1], `videos[${line - 1}]`),
    );
    // Inline videos may not have credentials: the history would show them.
    return { ...list, facts: { ...NO_CREDENTIALS, uploads, secrets } };
  }
  const seen = await draft.look('the manifest', () => surveyVideos(wanted), 'manifest.url');
  if (seen.is !== 'there') return undefined;
  const { ranges, ...list } = seen.value;
  return { batches: toBatches(ranges), ...list };
}

const NO_CREDENTIALS = { originsWithCredentials: 0, originsWithHeaders: 0 } as const;

function warnAboutCanary(
  draft: Draft,
  canary: number | undefined,
  batches: readonly ImportBatch[],
): void {
  const asked = batches.reduce((sum, { lines }) => sum + countRanges(lines), 0);
  if (canary === undefined || canary < asked) return;
  draft.warn({
    path: 'canary',
    message: `${canary} covers all ${plural(asked, 'video')}: no video waits for the canary`,
    advice: 'Choose a smaller canary, or leave it out.',
  });
}

/**
 * Looks like the run: always for the first batch, and for the others when the request had earlier runs,
 * or when an earlier batch shows that it had.
 */
async function lookForVideos(
  { input, prepared, reads }: ImportPlanRun,
  draft: Draft,
  { list, path }: { list: SurveyedList; path: string },
): Promise<{ batches: PlannedBatch[]; looks: number }> {
  const { hasEarlier, ...asked } = earlierOf(prepared);
  let looksOn = hasEarlier || list.hasOwnIds === true;
  let looks = 0;
  const known: string[] = [];
  const batches: PlannedBatch[] = [];
  for (const [index, batch] of list.batches.entries()) {
    const { lines } = batch;
    const planned: PlannedBatch = { ...batch, missing: lines };
    batches.push(planned);
    if (index > 0 && !looksOn) continue;
    looks += 1;
    const wanted = {
      ...toVideoBatch(prepared, input, batch),
      only: lines,
      ...asked,
      // Another batch has another marker, but a marker of the caller may be in any.
      known: list.hasOwnIds === true ? [...known] : [],
    };
    const seen = await draft.look(
      `the videos of lines ${lines}`,
      () => reads.findVideoBatch.executeWithOptions(BATCH_CALL_OPTIONS, [wanted]),
      path,
    );
    if (seen.is !== 'there') continue;
    const { ids, missing } = seen.value;
    const verdict = judgeFound(seen.value, { lines, doubt: doubtOf(prepared) });
    if (verdict.kind === 'contradiction') {
      draft.fault({ path, message: verdict.note, advice: verdict.advice ?? LOOK });
    }
    planned.missing = missing;
    if (ids === '') continue;
    looksOn = true;
    known.push(ids);
    draft.adopts.push({ kind: ResourceKind.videos, id: ids });
  }
  return { batches, looks };
}

function earlierOf({ earlier }: PreparedImportVideos) {
  const isUnlisted = earlier.digests === 'unknown';
  const hasEarlier = isUnlisted || earlier.since !== undefined;
  const { since = isUnlisted ? 0 : Date.now() } = earlier;
  return { hasEarlier, since, before: hasEarlier ? undefined : ALL_OF_OTHERS };
}

const LOOK = 'Look at what exists, and remove what should not be there.';
