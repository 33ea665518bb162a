import type { PreparedImportVideos } from '../../../contract/wire/prepared.js';
import { countRanges } from '../../../engine/core/number-ranges.js';
import { StepState } from '../../../engine/core/status.js';
import type { StepRecorder } from '../../../engine/run/ledger.js';
import { createVideoBatch, noteOf, type BatchCall } from './create-video-batch.js';
import { continueRunAsNewIfLong, type Import, type ImportRun } from './import-state.js';

/**
 * Sends the batches in order, each after the outcome of the one before is known. Sends only the batches
 * of the canary until the canary has been judged.
 * Throws `OutdatedInput`.
 */
export async function createVideos(
  run: ImportRun,
  step: StepRecorder,
  current: Import,
): Promise<void> {
  const end = current.isCanaryDone ? current.batches.length : endOfCanary(run.prepared, current);
  for (;;) {
    const batch = current.batches[current.next];
    if (batch === undefined || current.next >= end) return;
    const looksFirst = current.looksFirst || current.next === 0;
    const call: BatchCall = { batch, missing: batch.lines, looksFirst };
    await createVideoBatch(run, step, { current, call });
    // The first batch reveals an earlier run that the Temporal server has forgotten.
    current.looksFirst ||= call.hasEarlier === true;
    current.next += 1;
    step.set(StepState.accepted, { note: noteOf(current) });
    run.notifier.itemsFailed(current.progress.counts(current.asked));
    await continueRunAsNewIfLong(run, current);
  }
}

/** The number of batches of the canary. The list is split after it, so it ends with a batch. */
export function endOfCanary(
  { canary = 0 }: Pick<PreparedImportVideos, 'canary'>,
  { batches }: Pick<Import, 'batches'>,
): number {
  let videos = 0;
  const last = batches.findIndex(({ lines }) => {
    videos += countRanges(lines);
    return videos >= canary;
  });
  return last === -1 ? batches.length : last + 1;
}
