import { TemporalFailure } from '@temporalio/workflow';

import { typicalDuration } from '../../../contract/poll-delay.js';
import { fromRanges } from '../../../contract/number-ranges.js';
import { StepState } from '../../../contract/status.js';
import type { StepRecorder } from '../../engine/run/ledger.js';
import { createPause } from '../../engine/wait/create-pause.js';
import { continueRunAsNewIfLong, type Import, type ImportRun } from './import-state.js';
import { toSortedRanges } from './line-groups.js';

/** The ids are part of the URL, which has room for about 8,000 characters. */
const IDS_PER_CALL = 500;
const MAX_CONCURRENT_CALLS = 4;

/**
 * Waits until every video has reached the requested state or has failed. Looks at all pending videos,
 * 500 per call. A video that is no longer listed counts as removed once lists cannot lag that far.
 */
export async function awaitVideos(
  run: ImportRun,
  step: StepRecorder,
  current: Import,
): Promise<void> {
  const { progress } = current;
  current.awaitedSince ??= Date.now();
  const since = current.awaitedSince;
  const pause = createPause(run, { name: 'the videos', type: 'video', since, continues: true });
  try {
    while (progress.pending().size > 0) {
      step.set(StepState.waiting, { note: noteOf(current) });
      const calls = groupsOf(progress.pending().keys());
      await pause(undefined, (calls.length * run.prepared.policy.poll.minMs) / 2);
      await lookAtAll(run, calls, current);
      step.set(StepState.waiting, { note: noteOf(current) });
      giveUpLateVideos(run, current, since);
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

function groupsOf(ids: Iterable<number>): string[] {
  const all = [...ids].sort((a, b) => a - b);
  const count = Math.ceil(all.length / IDS_PER_CALL);
  return Array.from({ length: count }, (_, at) =>
    toSortedRanges(all.slice(at * IDS_PER_CALL, (at + 1) * IDS_PER_CALL)),
  );
}

async function lookAtAll(run: ImportRun, calls: readonly string[], current: Import): Promise<void> {
  const rest = [...calls];
  const look = async (): Promise<void> => {
    for (let ids = rest.shift(); ids !== undefined; ids = rest.shift()) {
      await lookAt(run, ids, current);
    }
  };
  await Promise.all(Array.from({ length: MAX_CONCURRENT_CALLS }, look));
}

async function lookAt(
  run: ImportRun,
  ids: string,
  { progress, awaitedSince = 0 }: Import,
): Promise<void> {
  const { waitFor, policy } = run.prepared;
  const isInline = run.input.videos !== undefined;
  const awaited = waitFor === 'ready' ? 'ready' : 'viewable';
  const seen = await run.api.reads.pollVideos({ ids, awaited, isInline });
  progress.polled(ids, seen);
  if (Date.now() - awaitedSince < policy.reconcileGraceMs) return;
  const text = 'It is no longer listed: somebody has removed it.';
  progress.givenUp(fromRanges(seen.missing), { class: 'removed', text });
}

function giveUpLateVideos({ prepared }: ImportRun, { progress }: Import, since: number): void {
  const { giveUpMs = Infinity } = typicalDuration('video', prepared.policy.poll);
  if (Date.now() - since < giveUpMs) return;
  const text = `It was not ${prepared.waitFor} within the time that the worker waits.`;
  progress.givenUp([...progress.pending().keys()], { class: 'too-long', text });
}

function noteOf({ progress, asked }: Import): string {
  const { succeeded, failed, pending, warned } = progress.counts(asked);
  const warnings = warned === 0 ? '' : `, ${warned} of them with a warning`;
  return `${succeeded} done${warnings}, ${failed} failed, ${pending} pending`;
}
