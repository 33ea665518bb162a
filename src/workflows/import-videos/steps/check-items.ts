import { upsertMemo, workflowInfo } from '@temporalio/workflow';

import { plural } from '../../../engine/core/text.js';
import type { ManifestRange } from '../../../activities/manifest/scan-manifest.js';
import type { PreparedImportVideos } from '../../../contract/wire/prepared.js';
import type { ScanVideosInput } from '../../../activities/scan-videos.js';
import { FailureType } from '../../../engine/core/failures.js';
import type { ImportVideosInput } from '../../../contract/operations/types.js';
import { StepState } from '../../../engine/core/status.js';
import { parkWhileBlocked } from '../../../engine/run/park-while-blocked.js';
import { failure } from '../../../engine/run/failures.js';
import { rangeLines, type ImportBatch } from './import-batch.js';
import { refuseTooScattered } from './handed-size.js';
import { beginImport, type Import, type ImportRun, type VideoList } from './import-state.js';
import { scanVideos } from './scan-videos.js';

export const IMPORT_STEPS = {
  check: 'check items',
  create: 'create videos',
  await: 'await videos',
} as const;

/** Name of the memo in which a run keeps the digest of its list. */
const LIST_MEMO = 'listDigest';

/** Checks every item before the first call, and groups the items into batches. */
export async function checkItems(run: ImportRun): Promise<Import> {
  const step = await run.begin(IMPORT_STEPS.check);
  step.set(StepState.waiting, { note: 'reading the list' });
  const { digest, ...list } = await listOf(run);
  refuseAnotherList(run, digest);
  const { input, prepared } = run;
  refuseTooScattered({ input, prepared, batches: list.batches });
  // The next run with this id compares it.
  upsertMemo({ [LIST_MEMO]: digest });
  const current = beginImport(run, list, Date.now());
  step.set(StepState.verified, {
    note: `${plural(current.asked, 'video')} in ${plural(list.batches.length, 'batch', 'batches')}`,
  });
  return current;
}

/** While a manifest cannot be read, a corrected input may name another list. */
function listOf(run: ImportRun): Promise<VideoList> {
  return parkWhileBlocked(run, async () => {
    const wanted = manifestOf(run.input);
    if (wanted === undefined) return inlineList(run);
    const { ranges, ...list } = await scanVideos(wanted);
    return { batches: toBatches(ranges), ...list };
  });
}

export function inlineList({ input, prepared }: Pick<ImportRun, 'input' | 'prepared'>): VideoList {
  const { batches, digest } = prepared.inline ?? { batches: [], digest: '' };
  const isOwn = ({ client_user_id: own }: { client_user_id?: unknown }) => own !== undefined;
  return { batches, digest, hasOwnIds: input.videos?.some(isOwn) ?? false };
}

/** The part of a manifest to read; `undefined` for videos in the input itself. */
export function manifestOf({
  manifest,
  lines,
  canary,
}: ImportVideosInput): ScanVideosInput | undefined {
  if (manifest === undefined) return undefined;
  return {
    manifest,
    ...(lines === undefined ? {} : { lines }),
    ...(canary === undefined ? {} : { canary }),
  };
}

export function toBatches(ranges: readonly ManifestRange[]): ImportBatch[] {
  return ranges.map((range) => ({ lines: rangeLines(range), range }));
}

/** What it was before its reset may have imported a corrected list, and the reset has not brought the correction. */
export async function checkListAfterReset(run: ImportRun): Promise<void> {
  const digest = workflowInfo().memo?.[LIST_MEMO];
  // A later history has none: videos were made before it, and after them no correction is taken.
  if (typeof digest !== 'string') return;
  await parkWhileBlocked(run, async () => {
    const prepared = await run.checkAfterReset();
    if (prepared.earlier.digests === 'unknown') throw unlistedFailure();
    refuseAnotherList({ prepared }, digest);
  });
}

function unlistedFailure(): Error {
  const message =
    'The run was reset, and the Temporal server cannot say now whether it imported another list before.';
  return failure(FailureType.outcomeUnknown, message, {
    advice: 'It asks again by itself. `abort` ends the run, and keeps the videos that were made.',
  });
}

/** Videos of an earlier run are found by their place in the list, so the list must be the same. */
function refuseAnotherList({ prepared }: Pick<ImportRun, 'prepared'>, digest: string): void {
  if (isSameList(prepared, digest)) return;
  const { message, advice } = ANOTHER_LIST;
  throw failure(FailureType.invalidInput, `${message}.`, { advice });
}

export function isSameList({ earlier }: PreparedImportVideos, digest: string): boolean {
  // While nobody can say it, each video that is found has to prove that it is of this list.
  return earlier.digests === 'unknown' || earlier.digests.every((other) => other === digest);
}

export const ANOTHER_LIST = {
  message:
    'An earlier run of this request was about another list of videos (or other lines, or another canary)',
  advice: 'Give another list another request id; or start again with the list as it was.',
} as const;
