import { TemporalFailure } from '@temporalio/workflow';

import { plural } from '../../../engine/core/text.js';
import type { KvWritten } from '../../../activities/kv-stores.js';
import type { KvChunkResult } from '../../../contract/operations/modify-kv-store.js';
import { StepState } from '../../../engine/core/status.js';
import { detailsOf, failure, failureTypeOf } from '../../../engine/run/failures.js';
import type { StepRecorder } from '../../../engine/run/ledger.js';
import { sendUntilAnswered } from '../../../engine/send/send-until-answered.js';
import { waitUntil } from '../../../engine/wait/wait-until.js';
import type { RevisionStep } from './find-foreign-writes.js';
import type { Chunk, KvRun } from './plan-kv-chunks.js';

/** What has been written, and the revisions of the store around it. */
export interface Pushed {
  chunks: KvChunkResult[];
  storeSize: number;
  revisions: RevisionStep[];
  /** The latest known revision of the store; none for a BYOD store. */
  revision: number | undefined;
}

interface Writing {
  run: KvRun;
  step: StepRecorder;
  chunks: readonly Chunk[];
  pushed: Pushed;
  /** Until then, a call whose answer was lost may still be carried out. */
  lateCallUntil: number;
}

/** Writes the chunks in order, each until the API has answered. A failure undoes nothing. */
export async function writeChunks(
  run: KvRun,
  { step, chunks }: Pick<Writing, 'step' | 'chunks'>,
): Promise<Pushed> {
  step.set(StepState.sending, { note: `0 of ${plural(chunks.length, 'chunk')} written` });
  const pushed: Pushed = { chunks: [], storeSize: 0, revisions: [], revision: undefined };
  const writing: Writing = { run, step, chunks, pushed, lateCallUntil: 0 };
  try {
    for (const chunk of chunks) await writeChunk(writing, chunk);
  } catch (error) {
    if (!(error instanceof TemporalFailure)) throw error;
    const written = describeWritten(writing);
    step.set(StepState.failed, { note: written });
    throw withWritten(error, written);
  }
  step.set(StepState.verified, { note: `${plural(chunks.length, 'chunk')} written` });
  return pushed;
}

async function writeChunk(writing: Writing, chunk: Chunk): Promise<void> {
  const { run, step, chunks, pushed } = writing;
  const done = pushed.chunks.length;
  const name = `chunk ${done + 1} of ${chunks.length}`;
  const note = (text: string) => `${done} of ${plural(chunks.length, 'chunk')} written; ${text}`;
  if (chunk.rewrites) {
    await waitUntil(run, writing.lateCallUntil, 'a late call that may write the same keys');
  }
  const { storeId, force } = run.prepared;
  const { answer, attempts } = await sendUntilAnswered(run, {
    name,
    send: (within) => {
      step.set(StepState.sending, { note: note(`sending ${name}`) });
      const sent = {
        storeId,
        force,
        source: chunk.source,
        ...(done === 0 && { looksFirst: true }),
      };
      return run.api.convergent.sendKvChunk({ ...within, summary: name }, sent);
    },
    onUnknownOutcome: (reason, at) => {
      writing.lateCallUntil = at + run.prepared.policy.reconcileGraceMs;
      step.set(StepState.outcomeUnknown, { note: note(reason) });
    },
    ...(chunk.hasSecrets && {
      beforeRepeat: () =>
        waitUntil(run, writing.lateCallUntil, 'a late call that may write older secrets'),
    }),
    onNotSent: (reason) => {
      step.set(StepState.sending, { note: note(`not sent yet: ${reason}`) });
    },
  });
  recordChunk(pushed, chunk, { answer, attempts });
}

function recordChunk(
  pushed: Pushed,
  { count }: Chunk,
  { answer, attempts }: { answer: KvWritten; attempts: number },
): void {
  const { writeCount, delCount, writeSize, storeSize, revision: to } = answer;
  pushed.revision ??= answer.before;
  const from = pushed.revision;
  const hasRevision = from !== undefined && to !== undefined;
  pushed.storeSize = storeSize;
  pushed.chunks.push({
    items: count,
    writeCount,
    delCount,
    writeSize,
    attempts,
    ...(hasRevision && { revision: to }),
  });
  if (!hasRevision) return;
  pushed.revision = to;
  pushed.revisions.push({ from, to, attempts, changes: writeCount + delCount });
}

/** What the run has written when it ends here. */
function describeWritten({ chunks, pushed, step }: Writing): string {
  const done = pushed.chunks.length;
  const items = pushed.chunks.reduce((sum, chunk) => sum + chunk.items, 0);
  const all = chunks.reduce((sum, { count }) => sum + count, 0);
  const mayBe = step.state === StepState.sending || step.state === StepState.outcomeUnknown;
  const uncertain =
    mayBe && done < chunks.length ? `; chunk ${done + 1} may be written in part or as a whole` : '';
  return `${done} of ${plural(chunks.length, 'chunk')} (${items} of ${plural(all, 'item')}) are written${uncertain}; nothing is undone`;
}

function withWritten(error: TemporalFailure, written: string): TemporalFailure {
  const type = failureTypeOf(error);
  const { advice = 'Read the cause in the history of the run.', ...details } = detailsOf(error);
  const cause = 'cause' in error && error.cause instanceof Error ? error.cause : error;
  if (type === undefined) return error;
  // An earlier run of the request may have written more.
  const message = `${cause.message} Of this run, ${written}.`;
  return failure(type, message, { ...details, advice, written });
}
