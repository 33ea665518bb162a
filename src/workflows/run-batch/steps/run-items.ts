import { TemporalFailure, workflowInfo } from '@temporalio/workflow';

import type { OpenItem } from '../../../activities/batch/batch-runs.js';
import type { RunBatchResult } from '../../../contract/operations/types.js';
import { ItemState } from '../../../contract/wire/batch.js';
import { FailureType } from '../../../engine/core/failures.js';
import { StepState } from '../../../engine/core/status.js';
import { isoOf } from '../../../engine/core/times.js';
import { UNPAUSE } from '../../../engine/core/names.js';
import { plural, quoteWord } from '../../../engine/core/text.js';
import { failure } from '../../../engine/run/failures.js';
import type { StepRecorder } from '../../../engine/run/ledger.js';
import { judgeFailures } from '../../shared/judge-items.js';
import { askItems } from './batch-activities.js';
import {
  continueRunAsNewIfLong,
  countsOf,
  itemsIn,
  ownItems,
  toReport,
  type Batch,
  type BatchRun,
} from './batch-state.js';
import { BATCH_STEPS } from './check-items.js';
import { followOpen } from './follow-items.js';
import { askedLast, leave, noteOf } from './leave-items.js';
import { pausedItems, type PausedItems } from './paused-items.js';
import {
  askAgain,
  findBegun,
  findUnseen,
  startLater,
  startMore,
  stopIfAsked,
} from './start-items.js';

/**
 * Starts the items, a few at the same time, and follows each to its end.
 *
 * @param onLeave called when the batch is to end although not everything has: from then on it asks nothing once more
 */
export async function runItems(
  run: BatchRun,
  batch: Batch,
  onLeave: () => void,
): Promise<RunBatchResult> {
  const step = await beginItems(run, batch);
  try {
    await runAll(run, step, batch);
  } catch (error) {
    onLeave();
    if (error instanceof TemporalFailure) await leave(run, step, { batch, error });
    throw error;
  }
  refuseTooMany(run, batch, 'all');
  step.set(StepState.verified, { note: noteOf(batch) });
  const { steps } = run.ledger.document();
  return { counts: countsOf(batch), report: toReport(batch), ledger: steps };
}

/** What the history before has started goes on while the batch is paused, so it is followed. Before the first start it waits. */
async function beginItems(run: BatchRun, { next }: Batch): Promise<StepRecorder> {
  if (next === 0) return run.begin(BATCH_STEPS.run);
  run.ledger.begin(BATCH_STEPS.run);
  return run.ledger.step(BATCH_STEPS.run);
}

/** While all open items are blocked: since when. */
interface Block {
  since?: number;
}

async function runAll(run: BatchRun, step: StepRecorder, batch: Batch): Promise<void> {
  const block: Block = {};
  try {
    while (!isOver(batch)) {
      step.set(StepState.waiting, { note: noteOf(batch) });
      await startMore(run, batch);
      show(run, step, { batch, block });
      if (!isIdle(run, batch)) await followOpen(run, batch);
      const isResumed = hearResume(run, batch);
      await startLater(run, batch, isResumed);
      if (isResumed) await resumeBlocked(run, batch);
      await askAgain(run, batch);
      stopIfAsked(run, batch);
      if (batch.stopped !== undefined) await findLeft(run, batch);
      endCanary(run, batch);
      run.notifier.itemsFailed(countsOf(batch));
      await continueRunAsNewIfLong(run, batch);
    }
  } finally {
    run.ledger.setBlocked(block, undefined);
    run.ledger.setItems(countsOf(batch), batch.since);
  }
}

/** Nothing more is started, so what was begun is looked for. */
async function findLeft(run: BatchRun, batch: Batch): Promise<void> {
  await findBegun(run, batch);
  await findUnseen(run, batch);
}

/** Whether somebody has resumed the batch. What comes while that is carried out counts for the next round. */
function hearResume({ controls }: BatchRun, batch: Batch): boolean {
  const resumes = controls.resumes();
  const isResumed = resumes > batch.heard;
  batch.heard = resumes;
  return isResumed;
}

/** Nothing goes on, and nothing more is to start. */
function isOver({ open, later, again, next, asked, stopped }: Batch): boolean {
  if (again.size > 0) return false;
  const isStarted = later.size === 0 && next === asked;
  return open.size === 0 && (isStarted || stopped !== undefined);
}

/** Nothing goes on, and no time or person has to pass before the next start. */
function isIdle(run: BatchRun, { open, later, again }: Batch): boolean {
  if (again.size > 0) return false;
  return open.size === 0 && later.size === 0 && !run.controls.pause.isPaused();
}

/** The status says how far the batch is, and is blocked when none of its items can go on. */
function show(
  run: BatchRun,
  step: StepRecorder,
  { batch, block }: { batch: Batch; block: Block },
): void {
  step.set(StepState.waiting, { note: noteOf(batch) });
  run.ledger.setItems(countsOf(batch), batch.since);
  const blocked = itemsIn(batch, ItemState.blocked);
  const paused = pausedItems(batch);
  const [first] = blocked;
  if (first === undefined || blocked.length + paused.count < batch.open.size) {
    delete block.since;
    run.ledger.setBlocked(block, undefined);
    return;
  }
  block.since ??= Date.now();
  run.ledger.setBlocked(block, {
    type: typeOf(first.class),
    message: `${heldText(blocked.length, paused.count)} The first: ${first.text ?? first.class ?? ''}`,
    advice: adviceFor(blocked, paused),
    since: isoOf(block.since),
  });
}

/** While no run can go on. */
function heldText(blocked: number, paused: number): string {
  const are = (count: number) => `${plural(count, 'run')} ${count === 1 ? 'is' : 'are'}`;
  if (paused > 0) return `${are(blocked)} blocked, and ${are(paused)} paused.`;
  return blocked === 1 ? 'The run that is left is blocked.' : `All ${blocked} runs are blocked.`;
}

function adviceFor(blocked: readonly OpenItem[], paused: PausedItems): string {
  const joined = blocked.length - ownItems(blocked).length;
  const unknown = blocked.filter((item) => typeOf(item.class) === FailureType.outcomeUnknown);
  const what = joined === 0 ? 'them' : 'what it has started';
  return [
    `Mend the cause, then resume this batch: it resumes ${what}.`,
    joined > 0 &&
      `Resume by itself what it has joined (${plural(joined, 'run')} that somebody else has started).`,
    paused.resumable > 0 &&
      `Resume by itself what somebody has paused (${plural(paused.resumable, 'run')}).`,
    paused.frozen > 0 &&
      `End the pause of ${plural(paused.frozen, 'run')} in Temporal itself (line ${paused.frozenLines}): ${UNPAUSE}.`,
    unknown.length > 0 &&
      `Look at what exists, and decide about each by itself: ${plural(unknown.length, 'run')} whose outcome is unknown.`,
  ]
    .filter(Boolean)
    .join(' ');
}

function typeOf(name: string | undefined): FailureType {
  return Object.values(FailureType).find((type) => type === name) ?? FailureType.itemsFailed;
}

async function resumeBlocked(run: BatchRun, batch: Batch): Promise<void> {
  const open = ownItems(itemsIn(batch, ItemState.blocked));
  batch.unasked = [];
  if (open.length === 0) return;
  const asked = { terms: batch.terms, open, what: 'resume', by: askedLast(run) } as const;
  batch.unasked = await askItems(asked);
}

/** The rest starts only when no more items of the canary failed than tolerated. */
function endCanary(run: BatchRun, batch: Batch): void {
  const { canary = 0 } = run.prepared;
  const isOpen = batch.open.size > 0 || batch.later.size > 0;
  if (batch.isCanaryDone || isOpen || batch.next < Math.min(canary, batch.asked)) return;
  refuseTooMany(run, batch, 'canary');
  batch.isCanaryDone = true;
}

function refuseTooMany(run: BatchRun, batch: Batch, scope: 'canary' | 'all'): void {
  const counts = countsOf(batch);
  run.notifier.itemsFailed(counts, true);
  const { tolerate } = run.prepared;
  const found = judgeFailures({ counts, tolerate, scope, of: 'item' });
  if (found === undefined && batch.stopped === undefined) return;
  run.ledger.step(BATCH_STEPS.run).set(StepState.failed, { note: noteOf(batch) });
  const others = `${plural(counts.failed, 'item')} failed; the other ${counts.untried} were not started after one that is ${batch.stopped ?? ''}.`;
  const { workflowId } = workflowInfo();
  throw failure(FailureType.itemsFailed, `${found ?? others}${firstFailure(batch)}`, {
    advice: `Read the report. \`gcore-workflows retry ${quoteWord(workflowId)}\` starts again what has failed, with the list as it was. For a corrected list, repeat its command with \`--request-id ${quoteWord(batch.terms.prefix)}\`: what is done stays done.`,
    counts,
  });
}

function firstFailure({ failed }: Batch): string {
  const [first] = failed.groups();
  if (first === undefined) return '';
  const [line = ''] = first.lines.split(/[ -]/);
  return ` The first, line ${line}: ${first.class}: ${first.text}`;
}
