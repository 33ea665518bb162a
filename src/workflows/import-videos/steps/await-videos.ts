import { TemporalFailure } from '@temporalio/workflow';

import { typicalDuration } from '../../../engine/core/run-policy.js';
import { chunksOf } from '../../../engine/core/chunks.js';
import { fromRanges } from '../../../engine/core/number-ranges.js';
import { hasSecretRef } from '../../../contract/wire/secret-ref.js';
import type { ImportedState } from '../../../contract/wire/videos.js';
import { StepState } from '../../../engine/core/status.js';
import type { StepRecorder } from '../../../engine/run/ledger.js';
import { createPace } from '../../../engine/wait/create-pause.js';
import { continueRunAsNewIfLong, type Import, type ImportRun } from './import-state.js';
import { toSortedRanges } from '../../shared/line-groups.js';
import { createMissingVideos, type MissingVideos } from './missing-videos.js';
import type { VideoHints } from './video-hints.js';

/** As many as one call of the API takes. */
const IDS_PER_CALL = 500;
/** One after the other, in one activity. What is shown of the videos has to fit into its answer. */
const CALLS_PER_ACTIVITY = { alone: 4, withFields: 1 } as const;
const MAX_CONCURRENT_CALLS = 4;

/** While hints help, the looks by the timer become rarer: they come after this share of the time waited. */
const HELPED_SHARE = 0.5;
/** A hint can get lost. This much later the timer sees the change. */
const MOST_LATE_MS = 5 * 60_000;

/**
 * Waits until every video has reached the requested state or has failed. Looks at all pending videos,
 * up to 2,000 in an activity, and in between only at those that a hint names. A video that is gone for sure counts as
 * removed once lists cannot lag behind the batches any more.
 */
export async function awaitVideos(
  run: ImportRun,
  step: StepRecorder,
  { current, hints }: { current: Import; hints: VideoHints },
): Promise<void> {
  const { progress } = current;
  current.awaitedSince ??= Date.now();
  const since = current.awaitedSince;
  const looks = createLooks(run, { current, hints, since });
  try {
    while (progress.pending().size > 0) {
      step.set(StepState.waiting, { note: noteOf(current) });
      const open = await looks.next();
      step.set(StepState.waiting, { note: noteOf(current) });
      giveUpLateVideos(run, current, { since, open });
      const counts = progress.counts(current.asked);
      run.ledger.setItems(counts, run.startedAt);
      run.notifier.itemsFailed(counts);
      await continueRunAsNewIfLong(run, current);
    }
  } catch (error) {
    if (error instanceof TemporalFailure) step.set(StepState.failed, { note: noteOf(current) });
    throw error;
  }
  run.ledger.setWaiting(undefined);
  delete current.awaitedSince;
  step.set(StepState.verified, { note: noteOf(current) });
}

interface Looking {
  current: Import;
  hints: VideoHints;
  since: number;
}

/** Waits for the next look and makes it: at all pending videos when the timer ends, else at the changed ones. */
function createLooks(run: ImportRun, { current, hints, since }: Looking) {
  const name = 'the videos';
  const pace = createPace(run, { name, type: 'video', since, continues: true });
  const pending = () => current.progress.pending();
  const groupsOf = grouping(run);
  const awaited = { ...current, missing: createMissingVideos(run) };
  let haveHelped = false;
  /** A hint must not put off the look at the other videos. */
  let dueAt: number | undefined;
  return {
    /** @returns the ids that this look has shown as open */
    next: async (): Promise<number[]> => {
      const all = groupsOf(pending().keys());
      const calls = Math.ceil(pending().size / IDS_PER_CALL);
      dueAt ??= Date.now() + pace(undefined, leastPause(calls));
      await hints.wait(dueAt - Date.now(), { summary: `${name}: next look`, among: pending() });
      const changed = hints.take(pending());
      const isEarly = changed.length > 0 && Date.now() < dueAt;
      if (!isEarly) dueAt = undefined;
      const before = pending().size;
      const open = await lookAtAll(run, isEarly ? groupsOf(changed) : all, awaited);
      if (isEarly && pending().size < before) haveHelped = true;
      return open;
    },
  };

  function leastPause(calls: number): number {
    const least = (calls * run.prepared.policy.poll.minMs) / 2;
    if (!haveHelped) return least;
    return Math.max(least, Math.min((Date.now() - since) * HELPED_SHARE, MOST_LATE_MS));
  }
}

/** Cuts ids into those of one activity each. */
function grouping({ prepared }: ImportRun): (ids: Iterable<number>) => string[] {
  const { fields = [] } = prepared;
  const calls = fields.length > 0 ? CALLS_PER_ACTIVITY.withFields : CALLS_PER_ACTIVITY.alone;
  return (ids) => {
    const sorted = [...ids].sort((a, b) => a - b);
    return chunksOf(sorted, calls * IDS_PER_CALL).map(toSortedRanges);
  };
}

type Awaited = Pick<Import, 'progress' | 'awaitedSince'> & { missing: MissingVideos };

async function lookAtAll(
  run: ImportRun,
  groups: readonly string[],
  awaited: Awaited,
): Promise<number[]> {
  const rest = [...groups];
  const open: number[] = [];
  const look = async (): Promise<void> => {
    for (let ids = rest.shift(); ids !== undefined; ids = rest.shift()) {
      open.push(...(await lookAt(run, ids, awaited)));
    }
  };
  await Promise.all(Array.from({ length: MAX_CONCURRENT_CALLS }, look));
  return open;
}

/** @returns the ids that are open for sure: what the list lacks may be done */
async function lookAt(
  run: ImportRun,
  ids: string,
  { progress, missing, awaitedSince = 0 }: Awaited,
): Promise<number[]> {
  const { waitFor, policy, fields = [] } = run.prepared;
  const { videos } = run.input;
  const isInline = videos !== undefined && !hasSecretRef(videos);
  const awaited = waitFor === 'created' ? 'viewable' : waitFor;
  const show = { ids: progress.details.keptOf(ids), fields };
  const isShown = show.ids !== '';
  const at = Date.now();
  const seen = await run.api.reads.pollVideos({
    ids,
    awaited,
    isInline,
    ...(isShown && { show }),
  });
  progress.polled(ids, seen);
  const open = [...fromRanges(seen.pending)];
  if (Date.now() - awaitedSince < policy.reconcileGraceMs) return open;
  const text = 'It does not exist any more: somebody has removed it.';
  progress.givenUp(await missing.goneIn({ ...seen, at }), { class: 'removed', text });
  return [...open, ...missing.lackedIn({ ...seen, at })];
}

/** Only what a look has just shown as open: a hint lets the run look at some videos, and a list may lack the others once. */
function giveUpLateVideos(
  { prepared }: ImportRun,
  { progress }: Import,
  { since, open }: { since: number; open: readonly number[] },
): void {
  const { giveUpMs = Infinity } = typicalDuration('video', prepared.policy.poll);
  if (Date.now() - since < giveUpMs) return;
  const text = `It was not ${describeState(prepared.waitFor)} within the time that the worker waits.`;
  progress.givenUp(open, { class: 'too-long', text });
}

/** `viewable`, in a sentence. */
export function describeState(state: ImportedState): string {
  return state === 'qualities' ? 'ready in all its qualities' : state;
}

function noteOf({ progress, asked }: Import): string {
  const { succeeded, failed, pending, warned } = progress.counts(asked);
  const warnings = warned === 0 ? '' : `, ${warned} of them with a warning`;
  return `${succeeded} done${warnings}, ${failed} failed, ${pending} pending`;
}
