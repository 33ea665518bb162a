import { TemporalFailure } from '@temporalio/workflow';

import { typicalDuration } from '../../../contract/poll-delay.js';
import { fromRanges } from '../../../contract/number-ranges.js';
import { StepState } from '../../../contract/status.js';
import type { StepRecorder } from '../../engine/run/ledger.js';
import { createPause } from '../../engine/wait/create-pause.js';
import { continueRunAsNewIfLong, type Import, type ImportRun } from './import-state.js';
import { sorted } from './line-groups.js';

/** Ids of one call: they stand in the address of the request, which has room for some 8,000 characters. */
const IDS_A_CALL = 500;
const CALLS_AT_ONCE = 4;

/**
 * Waits until every video that was made has reached what was asked for, or has failed. Looks at all
 * of them with a call for each 500, then at those that are left. One that is not listed any more
 * counts as removed when lists cannot lag behind so far.
 */
export async function awaitVideos(
  run: ImportRun,
  step: StepRecorder,
  current: Import,
): Promise<void> {
  const { progress } = current;
  current.awaitedSince ??= Date.now();
  const since = current.awaitedSince;
  const pause = createPause(run, { name: 'the videos', type: 'video', since });
  try {
    while (progress.pending().size > 0) {
      step.set(StepState.waiting, { note: noteOf(current) });
      const calls = groupsOf(progress.pending().keys());
      await pause(undefined, (calls.length * run.prepared.policy.poll.minMs) / 2);
      await lookAtAll(run, calls, current);
      step.set(StepState.waiting, { note: noteOf(current) });
      giveUpLate(run, current, since);
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
  const count = Math.ceil(all.length / IDS_A_CALL);
  return Array.from({ length: count }, (_, at) =>
    sorted(all.slice(at * IDS_A_CALL, (at + 1) * IDS_A_CALL)),
  );
}

async function lookAtAll(run: ImportRun, calls: readonly string[], current: Import): Promise<void> {
  const rest = [...calls];
  const look = async (): Promise<void> => {
    for (let ids = rest.shift(); ids !== undefined; ids = rest.shift()) {
      await lookAt(run, ids, current);
    }
  };
  await Promise.all(Array.from({ length: CALLS_AT_ONCE }, look));
}

async function lookAt(
  run: ImportRun,
  ids: string,
  { progress, awaitedSince = 0 }: Import,
): Promise<void> {
  const { waitFor, policy } = run.prepared;
  const awaited = waitFor === 'ready' ? 'ready' : 'viewable';
  const seen = await run.api.reads.pollVideos({ ids, awaited });
  progress.polled(ids, seen);
  if (Date.now() - awaitedSince < policy.reconcileGraceMs) return;
  const text = 'It is not listed any more: somebody has removed it.';
  progress.givenUp(fromRanges(seen.missing), { class: 'removed', text });
}

function giveUpLate({ prepared }: ImportRun, { progress }: Import, since: number): void {
  const { giveUpMs = Infinity } = typicalDuration('video', prepared.policy.poll);
  if (Date.now() - since < giveUpMs) return;
  const text = `It was not ${prepared.waitFor} in the time that the worker waits.`;
  progress.givenUp([...progress.pending().keys()], { class: 'too-long', text });
}

function noteOf({ progress, asked }: Import): string {
  const { succeeded, failed, pending, warned } = progress.counts(asked);
  const warnings = warned === 0 ? '' : `, ${warned} of them with a warning`;
  return `${succeeded} done${warnings}, ${failed} failed, ${pending} pending`;
}
