/** Messages that one operation alone has. Those of all operations are in `engine/core/messages.ts`. */
import { defineQuery, defineSignal } from '@temporalio/workflow';

import type { BatchReport, ImportReport } from '../operations/types.js';
import { listOf, wholeNumber } from '../../engine/core/guards/guard.js';

/**
 * `importVideos` only: the outcome of every line so far. A run that failed or was cancelled answers
 * too. Needs a worker.
 */
export const reportQuery = defineQuery<ImportReport>('report');

/** `runBatch` only: the same, of its items. */
export const batchReportQuery = defineQuery<BatchReport>('report');

/**
 * `importVideos` only: these videos may have changed, so the run looks at those that it waits for. A signal, because
 * nobody waits for an answer.
 */
export const videosChangedSignal = defineSignal<[videoIds: number[]]>('videosChanged');

/** The signal comes from a hook that anybody may call with any number: a run looks at its own videos only. */
export const videoIds = listOf(wholeNumber({ min: 0, max: Number.MAX_SAFE_INTEGER }), {
  max: 100_000,
});
