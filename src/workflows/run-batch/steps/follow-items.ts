import { CancellationScope, condition } from '@temporalio/workflow';

import type { SeenItem } from '../../../contract/wire/batch.js';
import { isoOf } from '../../../engine/core/times.js';
import { plural } from '../../../engine/core/text.js';
import { followItems } from './batch-activities.js';
import { laterIn } from './start-items.js';
import { adviceToFree, pausedItems } from './paused-items.js';
import { note, type Batch, type BatchRun } from './batch-state.js';

/** The longest call, so that a lost one costs little. */
const MOST_MS = 600_000;

/** A list of the Temporal server costs more than a look at the API. */
const LEAST_PAUSE_MS = 250;

/** Waits until a run that goes on has changed, or the batch has something to do. */
export async function followOpen(run: BatchRun, batch: Batch): Promise<void> {
  const isNews = hasNews(run, batch);
  if (isNews()) return;
  const mostMs = Math.min(laterIn(run, batch) ?? MOST_MS, MOST_MS);
  if (batch.open.size === 0) {
    await untilNextStart(run, mostMs, isNews);
    return;
  }
  const { operation, account } = batch.terms;
  const everyMs = Math.max(run.prepared.policy.poll.minMs, LEAST_PAUSE_MS);
  const asked = { open: [...batch.open.values()], everyMs, mostMs };
  run.ledger.setWaiting({ ...waitsFor(batch), since: isoOf(batch.since ?? Date.now()) });
  const seen = await untilNews(isNews, () =>
    followItems({ ...asked, terms: { operation, account } }),
  );
  run.ledger.setWaiting(undefined);
  for (const item of seen) note(batch, item);
}

/** A paused batch that follows nothing has nothing to do before its resume, however long that takes. */
async function untilNextStart(
  { controls }: BatchRun,
  mostMs: number,
  isNews: () => boolean,
): Promise<void> {
  if (controls.pause.isPaused()) await controls.untilUnpaused();
  else await controls.untilResumed(mostMs, 'items that are not started: next try', isNews);
}

/** Runs that somebody has paused go on when that person, or another one, lets them. */
function waitsFor(batch: Batch): { for: string; advice?: string } {
  const runs = plural(batch.open.size, 'run');
  const paused = pausedItems(batch);
  if (paused.count < batch.open.size) return { for: runs };
  return {
    for: `${runs} to be resumed: somebody has paused all that go on`,
    advice: adviceToFree(paused),
  };
}

/** Tells whether an operator has resumed the batch, or somebody has repeated it from now on. A paused one asks nothing. */
function hasNews({ controls }: BatchRun, batch: Batch): () => boolean {
  const before = batch.repeats;
  return () =>
    controls.resumes() > batch.heard || (batch.repeats > before && !controls.pause.isPaused());
}

/** The answer, or nothing as soon as there is news. */
async function untilNews(
  isNews: () => boolean,
  ask: () => Promise<SeenItem[]>,
): Promise<SeenItem[]> {
  const scope = new CancellationScope();
  const following: { ended?: 'answered' | 'failed' } = {};
  const answer = scope.run(ask);
  // Never rejects: while the batch ends, nobody waits for it.
  const ended = answer.then(
    () => (following.ended = 'answered'),
    () => (following.ended = 'failed'),
  );
  await condition(() => following.ended !== undefined || isNews());
  if (following.ended === undefined) scope.cancel();
  await ended;
  return following.ended === 'failed' && isNews() ? [] : answer;
}
