import { proxyActivities, upsertMemo } from '@temporalio/workflow';

import type { ScanActivities } from '../../activities/scan-videos.js';
import { FailureType } from '../../contract/failures.js';
import { StepState } from '../../contract/status.js';
import { persistently } from '../engine/blocked.js';
import { failure } from '../engine/failures.js';
import type { StepRecorder } from '../engine/ledger.js';
import {
  beginImport,
  rangeLines,
  type Import,
  type ImportBatch,
  type ImportRun,
} from './import-state.js';

/** On the queue of the workflows themselves: it costs no request. */
const { scanVideos } = proxyActivities<ScanActivities>({
  startToCloseTimeout: '15 minutes',
  heartbeatTimeout: '30 seconds',
  retry: { initialInterval: '1 second', backoffCoefficient: 2, maximumInterval: '1 minute' },
});

/** Checks every item before the first one is sent, and decides which are sent together. */
export async function checkItems(run: ImportRun, step: StepRecorder): Promise<Import> {
  step.set(StepState.waiting, { note: 'reading the list' });
  const { batches, digest } = await listOf(run);
  refuseAnotherList(run, digest);
  // The next run of this id compares; see prepare.
  upsertMemo({ listDigest: digest });
  return beginImport(run, batches, Date.now());
}

async function listOf(run: ImportRun): Promise<{ batches: ImportBatch[]; digest: string }> {
  const { manifest, lines, canary } = run.input;
  if (manifest === undefined) return run.plan.inline ?? { batches: [], digest: '' };
  const wanted = {
    manifest,
    ...(lines === undefined ? {} : { lines }),
    ...(canary === undefined ? {} : { canary }),
  };
  const { ranges, digest } = await persistently(run, () => scanVideos(wanted));
  return { batches: ranges.map((range) => ({ lines: rangeLines(range), range })), digest };
}

/** What an earlier run has made is found by its place in the list: in another list it would not be. */
function refuseAnotherList({ plan }: ImportRun, digest: string): void {
  if (plan.earlier.digests.every((earlier) => earlier === digest)) return;
  throw failure(
    FailureType.invalidInput,
    'An earlier run of this request was about another list of videos (or other lines, or another canary).',
    { advice: 'Give another list another request id; or start again with the list as it was.' },
  );
}
