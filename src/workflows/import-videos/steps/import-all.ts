import { workflowInfo } from '@temporalio/workflow';

import { FailureType } from '../../../engine/core/failures.js';
import { quoteWord } from '../../../engine/core/text.js';
import { StepState } from '../../../engine/core/status.js';
import type { ImportVideosResult } from '../../../contract/operations/types.js';
import { failure } from '../../../engine/run/failures.js';
import { awaitVideos } from './await-videos.js';
import { IMPORT_STEPS } from './check-items.js';
import { createVideos } from './create-videos.js';
import { toShortReport, type Import, type ImportRun } from './import-state.js';
import { judgeFailures } from '../../shared/judge-items.js';
import type { VideoHints } from './video-hints.js';

/** Imports the canary first, if there is one, then all others. */
export async function importAll(
  run: ImportRun,
  current: Import,
  hints: VideoHints,
): Promise<ImportVideosResult> {
  const { progress, asked } = current;
  if (!current.isCanaryDone) {
    await createAndAwait(run, current, hints);
    refuseTooMany(run, current, 'canary');
    current.isCanaryDone = true;
  }
  await createAndAwait(run, current, hints);
  refuseTooMany(run, current, 'all');
  run.ledger.step(IMPORT_STEPS.create).set(StepState.verified);
  run.ledger.step(IMPORT_STEPS.await).set(StepState.verified);
  const { steps } = run.ledger.document();
  return { counts: progress.counts(asked), report: toShortReport(run, current), ledger: steps };
}

async function createAndAwait(run: ImportRun, current: Import, hints: VideoHints): Promise<void> {
  const create = await run.begin(IMPORT_STEPS.create);
  await createVideos(run, create, current);
  if (current.next === current.batches.length) create.set(StepState.verified);
  await awaitVideos(run, await run.begin(IMPORT_STEPS.await), { current, hints });
}

function refuseTooMany(run: ImportRun, current: Import, scope: 'canary' | 'all'): void {
  const counts = current.progress.counts(current.asked);
  run.notifier.itemsFailed(counts, true);
  const found = judgeFailures({
    counts,
    tolerate: run.prepared.tolerate,
    scope,
    of: 'video',
  });
  if (found === undefined) return;
  // The step to blame: the create when all failed videos were refused, otherwise the wait.
  const refused = (counts.byClass['refused'] ?? 0) + (counts.byClass['not-made'] ?? 0);
  const name = refused === counts.failed ? IMPORT_STEPS.create : IMPORT_STEPS.await;
  run.ledger.step(name).set(StepState.failed);
  const { workflowId } = workflowInfo();
  throw failure(FailureType.itemsFailed, found, { advice: adviceFor(workflowId), counts });
}

export function adviceFor(workflowId: string): string {
  return `Read the report of the run and fix what you can. Then import the failed videos again: \`gcore-workflows retry ${quoteWord(workflowId)}\`. For failures of one class only: \`gcore-workflows import FILE --request-id NEW --rerun RESULTS --class CLASS\`.`;
}
