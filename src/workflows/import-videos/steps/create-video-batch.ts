import { TemporalFailure } from '@temporalio/workflow';

import { plural } from '../../../engine/core/text.js';
import type { PreparedImportVideos } from '../../../contract/wire/prepared.js';
import type { FoundVideos } from '../../../activities/videos/find-videos.js';
import type { MadeVideos, VideoBatch } from '../../../activities/videos/video-batch.js';
import { ALL_OF_OTHERS } from '../../../contract/wire/names.js';
import { FailureType } from '../../../engine/core/failures.js';
import {
  countRanges,
  fromRanges,
  toRanges,
  withoutRanges,
} from '../../../engine/core/number-ranges.js';
import type { ImportVideosInput } from '../../../contract/operations/types.js';
import { StepState } from '../../../engine/core/status.js';
import { parkWhileBlocked } from '../../../engine/run/park-while-blocked.js';
import { detailsOf, failureOf, failureTypeOf } from '../../../engine/run/failures.js';
import type { StepRecorder } from '../../../engine/run/ledger.js';
import { RunWasReset } from '../../../engine/run/restart-on-corrected-input.js';
import type { Mutation, Sent } from '../../../engine/send/mutation.js';
import { classifyAttempt } from '../../../engine/send/attempt-once.js';
import type { Verdict } from '../../../engine/send/verdict.js';
import { sendOnce } from '../../../engine/send/send-once.js';
import { checkListAfterReset } from './check-items.js';
import type { ImportBatch } from './import-batch.js';
import type { Import, ImportRun } from './import-state.js';
import { fieldsWhenMade } from './kept-details.js';
import { describeLines, doubtOf, judgeFound } from './judge-found.js';

/** A call ends within this time after its run: the 30 s of the API, and the proof that the run is open. */
const MAX_BATCH_CALL_MS = 60_000;
export const BATCH_CALL_OPTIONS = {
  // Time to read a part of a manifest, and to wait for a turn.
  startToCloseTimeout: '10 minutes',
  heartbeatTimeout: '10 seconds',
} as const;
/** A partial answer to this try is final: after lost or partial answers, the API does not make the rest. */
const MAX_TRIES = 3;

/** The create call of one batch. */
export interface BatchCall {
  batch: ImportBatch;
  /** Lines without a video. */
  missing: string;
  /** Lines of the batch that come after these: videos of theirs may exist, after a reset. */
  beside?: string;
  /** Whether videos of it may exist before it is sent. */
  looksFirst: boolean;
  /** Set when videos of it existed before it was sent. */
  hasEarlier?: boolean;
  /** Ids under markers of the caller that existed before the first send. They are of others. */
  before?: string;
  /** Set from the first send on: what shows now may be of this run. */
  isSent?: boolean;
}

/**
 * Makes the videos of one batch. When the API refuses a batch as wrong, this sends its halves, then
 * their halves, until only the wrong lines fail.
 * Throws `OutdatedInput`.
 */
export async function createVideoBatch(
  run: ImportRun,
  step: StepRecorder,
  { current, call }: { current: Import; call: BatchCall },
): Promise<void> {
  try {
    await parkWhileBlocked(run, () => sendBatch(run, step, { current, call }));
  } catch (error) {
    if (failureTypeOf(error) !== FailureType.invalidRequest) throw error;
    const lines = [...fromRanges(call.missing)];
    if (lines.length === 1) {
      noteRefused(current, lines, error);
      return;
    }
    const middle = Math.ceil(lines.length / 2);
    const [first, second] = [toRanges(lines.slice(0, middle)), toRanges(lines.slice(middle))];
    const { beside = '' } = call;
    for (const half of [
      { missing: first, beside: `${second} ${beside}`.trim() },
      { missing: second, beside },
    ]) {
      const part = { ...call, ...half, looksFirst: true };
      await createVideoBatch(run, step, { current, call: part });
    }
  }
}

/** After this number of refusals without a single video, the API will refuse the rest too. */
const MAX_REFUSED = 20;
const MAX_TEXT_LENGTH = 200;

function noteRefused({ progress, asked }: Import, lines: readonly number[], error: unknown): void {
  progress.refused(lines, { class: 'refused', text: whyRefused(error) });
  if (progress.counts(asked).failed >= MAX_REFUSED && progress.ids().length === 0) throw error;
}

function whyRefused(error: unknown): string {
  const { advice = '' } = detailsOf(error);
  const message = failureOf(error)?.message ?? String(error);
  return message.replace(advice, '').trim().slice(0, MAX_TEXT_LENGTH);
}

async function sendBatch(
  run: ImportRun,
  step: StepRecorder,
  { current, call }: { current: Import; call: BatchCall },
): Promise<void> {
  const { mutation, found } = createMutation(run, step, { current, call });
  let sent: Sent<FoundVideos, MadeVideos>;
  try {
    sent = await sendOnce(run, mutation);
  } catch (error) {
    // Videos of an earlier try exist all the same.
    if (error instanceof TemporalFailure) noteMade(current, call, found());
    call.looksFirst = true;
    // What existed before the look after a reset may have been made by this run.
    if (error instanceof RunWasReset) delete call.before;
    if (!(error instanceof RunWasReset)) throw error;
    await checkListAfterReset(run);
    // Beginning the whole import again would forget the videos before this batch.
    return sendBatch(run, step, { current, call });
  }
  noteMade(current, call, found());
  if (sent.origin === 'sent') noteMade(current, call, sent.answer);
  const text = 'The API did not list it in its answer, and it does not exist.';
  current.progress.refused(fromRanges(call.missing), { class: 'not-made', text });
  current.unknown = '';
}

function noteMade({ progress }: Import, call: BatchCall, made: MadeVideos | undefined): void {
  if (made === undefined) return;
  progress.made(made);
  call.missing = withoutRanges(call.missing, made.lines);
}

/**
 * Whether nothing of the request can exist under a marker of the caller, so that a look shows what is of others.
 * Later only the time could tell it.
 */
function isBeforeFirst({ prepared }: ImportRun, current: Import, call: BatchCall): boolean {
  if (current.hasOwnIds !== true || call.before !== undefined || call.isSent === true) return false;
  return !current.looksFirst && prepared.cutShortAt === undefined;
}

/**
 * Only videos of the same batch have its marker, but a marker of the caller may be in any. The history repeats
 * this with each look, and it may be a megabyte.
 */
function knownOf({ hasOwnIds, progress }: Import, { batch }: BatchCall): string[] {
  return hasOwnIds === true ? progress.ids() : [progress.idsOf(batch.lines)];
}

interface BatchMutation {
  /** Names no tasks: its answer lists the videos. */
  mutation: Mutation<FoundVideos, MadeVideos>;
  /** What the last look has found. */
  found: () => FoundVideos | undefined;
}

function createMutation(
  run: ImportRun,
  step: StepRecorder,
  { current, call }: { current: Import; call: BatchCall },
): BatchMutation {
  const { reads, mutations } = run.api;
  const batch = toVideoBatch(run.prepared, current.input, call.batch);
  const all = call.missing;
  let found: FoundVideos | undefined;
  let missing = all;
  let tries = 0;
  /** Tries with a lost or partial answer. */
  let unclear = 0;
  let hasLookedBefore = false;
  const takeAbsent = (): Verdict<FoundVideos> => {
    hasLookedBefore = false;
    return { kind: 'absent' };
  };
  const mutation: Mutation<FoundVideos, MadeVideos> = {
    step: recorderOf(step, current),
    input: current.input,
    maxCallMs: MAX_BATCH_CALL_MS,
    look: async () => {
      // It has just looked for what is of others: nothing of the request is there to be looked for again.
      if (hasLookedBefore) return takeAbsent();
      const isBefore = isBeforeFirst(run, current, call);
      const looksFirst = call.looksFirst || run.prepared.cutShortAt !== undefined || isBefore;
      if (tries === 0 && !looksFirst) return { kind: 'absent' };
      const summary = `look for the videos of lines ${describeLines(all)}`;
      const { since } = current;
      const before = isBefore ? ALL_OF_OTHERS : call.before;
      const known = knownOf(current, call);
      const { beside } = call;
      const wanted = { ...batch, only: all, beside, since, known, before };
      found = await reads.findVideoBatch.executeWithOptions({ ...BATCH_CALL_OPTIONS, summary }, [
        wanted,
      ]);
      if (isBefore) call.before = found.others;
      hasLookedBefore = isBefore;
      if (tries === 0 && found.lines !== '') call.hasEarlier = true;
      ({ missing } = found);
      const doubt = call.isSent === true ? undefined : doubtOf(run.prepared);
      return judgeFound(found, { lines: all, doubt });
    },
    send: async (within) => {
      tries += 1;
      call.isSent = true;
      const summary = `create the videos of lines ${describeLines(missing)}`;
      const { maker } = run.prepared;
      const isFinal = unclear + 1 >= MAX_TRIES;
      const show = showWhenMade(run, current, missing);
      const wanted = { ...batch, only: missing, isFinal, maker, ...(show && { show }) };
      const { unknown: before } = current;
      current.unknown = all;
      try {
        const options = { ...BATCH_CALL_OPTIONS, ...within, summary };
        return await mutations.createVideoBatch(options, wanted);
      } catch (error) {
        // A call that was not sent says nothing about what the API makes.
        if (classifyAttempt(error).kind === 'unknown') unclear += 1;
        else current.unknown = before;
        throw error;
      }
    },
    remove: () => Promise.resolve(),
    inventory: () => Promise.resolve([]),
  };
  return { mutation, found: () => found };
}

function showWhenMade({ prepared }: ImportRun, { progress }: Import, missing: string) {
  const fields = fieldsWhenMade(prepared);
  const most = Math.min(progress.details.left(), countRanges(missing));
  return fields.length > 0 && most > 0 ? { fields, most } : undefined;
}

/** The name identifies the batch within the request, in every try. */
export function toVideoBatch(
  { marker }: PreparedImportVideos,
  { manifest, videos = [] }: ImportVideosInput,
  { lines, range }: ImportBatch,
): VideoBatch {
  const name = `${marker} ${lines}`;
  if (manifest !== undefined && range !== undefined) {
    return { name, items: { kind: 'manifest', manifest, range } };
  }
  const items = [...fromRanges(lines)].flatMap((line) => {
    const value = videos[line - 1];
    return value === undefined ? [] : [{ line, value }];
  });
  return { name, items: { kind: 'inline', items } };
}

/** One step stands for all batches: the state of the current one becomes a note. */
function recorderOf(step: StepRecorder, current: Import): StepRecorder {
  return {
    name: step.name,
    get state() {
      return step.state;
    },
    set(state, { note } = {}) {
      // Only a failed step without videos lets the run accept another input; see `whyTooLate`.
      const isBegun = current.progress.ids().length > 0;
      const visible = state === StepState.failed && isBegun ? StepState.waiting : state;
      const detail = state === StepState.kept ? 'the videos that were made are kept' : note;
      step.set(visible, { note: [noteOf(current), detail].filter(Boolean).join('; ') });
    },
  };
}

export function noteOf({ batches, next, progress, asked }: Import): string {
  const { untried, failed } = progress.counts(asked);
  const failures = failed === 0 ? '' : `, ${failed} failed`;
  return `${asked - untried} of ${plural(asked, 'video')}, ${next} of ${plural(batches.length, 'batch', 'batches')}${failures}`;
}
