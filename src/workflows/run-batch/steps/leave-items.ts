import { CancellationScope, isCancellation, TemporalFailure } from '@temporalio/workflow';

import { ItemState } from '../../../contract/wire/batch.js';
import { StepState } from '../../../engine/core/status.js';
import { cutText, plural } from '../../../engine/core/text.js';
import type { StepRecorder } from '../../../engine/run/ledger.js';
import { toSortedRanges } from '../../shared/line-groups.js';
import { askItems } from './batch-activities.js';
import {
  beginBatch,
  countsOf,
  itemsIn,
  ownItems,
  type Batch,
  type BatchRun,
  type Page,
} from './batch-state.js';
import { BATCH_STEPS, readPages } from './check-items.js';
import { notesOfPaused, pausedItems } from './paused-items.js';
import { findBegun, findBegunAgain, findUnseen, mayHaveBegun, starterOf } from './start-items.js';

/** The batch ends while runs go on. */
export async function leave(
  run: BatchRun,
  step: StepRecorder,
  { batch, error }: { batch: Batch; error: TemporalFailure },
): Promise<void> {
  const cancels = isToldToEnd(run, error) && run.prepared.onAbort === 'cancel';
  const asked = await CancellationScope.nonCancellable(async () => {
    await findBegun(run, batch);
    await findUnseen(run, batch);
    await findBegunAgain(run, batch);
    return cancels ? cancelOwn(run, batch) : undefined;
  });
  run.ledger.setItems(countsOf(batch), batch.since);
  step.set(StepState.failed, { note: `${noteOf(batch)}${leftOf(batch, asked)}` });
}

/**
 * The batch ends before it has read its list. It may have begun items all the same, before a reset or in a try that was cut
 * short: it names what it finds of them, and says that nobody knows where the list cannot be read, because it has changed or is
 * gone.
 */
export async function leaveUnread(
  run: BatchRun,
  error: unknown,
  onRead: (batch: Batch) => void,
): Promise<void> {
  if (!(error instanceof TemporalFailure)) return;
  await CancellationScope.nonCancellable(async () => {
    if (!(await mayHaveBegun())) return;
    const pages = await pagesNow(run);
    run.ledger.begin(BATCH_STEPS.run);
    const step = run.ledger.step(BATCH_STEPS.run);
    if (pages === undefined) {
      step.set(StepState.outcomeUnknown, { note: UNREAD });
      return;
    }
    const batch = beginBatch(run, pages);
    onRead(batch);
    await leave(run, step, { batch, error });
  });
}

const UNREAD =
  'the batch was reset or cut short, and its list cannot be read now: nobody knows what it had started before';

function isToldToEnd({ controls }: BatchRun, error: unknown): boolean {
  return isCancellation(error) || controls.endingReason() !== undefined;
}

async function pagesNow({ input, prepared }: BatchRun): Promise<Page[] | undefined> {
  try {
    return await readPages(input, prepared.terms);
  } catch (error) {
    if (error instanceof TemporalFailure) return undefined;
    throw error;
  }
}

interface AskedToCancel {
  asked: number;
  unasked: number;
}

async function cancelOwn(run: BatchRun, batch: Batch): Promise<AskedToCancel> {
  const open = ownItems(batch.open.values());
  if (open.length === 0) return { asked: 0, unasked: 0 };
  const asked = { terms: batch.terms, open, what: 'cancel', by: askedLast(run) } as const;
  const { length: unasked } = await askItems(asked);
  return { asked: open.length - unasked, unasked };
}

/** What becomes of the runs that go on while their batch ends. */
function leftOf(
  { open, later, again }: Batch,
  { asked, unasked }: AskedToCancel = { asked: 0, unasked: 0 },
): string {
  const left = open.size - asked - unasked;
  return [
    ...(asked > 0 ? [`; ${plural(asked, 'run')} asked to cancel`] : []),
    ...(unasked > 0 ? [`; ${plural(unasked, 'run')} could not be asked to cancel`] : []),
    ...(left > 0 ? [`; ${plural(left, 'run')} ${left === 1 ? 'goes' : 'go'} on`] : []),
    ...(later.size > 0
      ? [`; nobody knows whether the lines ${toSortedRanges(later.keys())} were started`]
      : []),
    ...(again.size > 0
      ? [`; nobody knows whether the lines ${toSortedRanges(again)} were started again`]
      : []),
  ].join('');
}

/** Who has asked something of the batch last. */
export function askedLast({ ledger }: BatchRun): string {
  return ledger.asked.list().at(-1)?.by ?? starterOf();
}

/** Why items are not started, although there is room for them. */
function laterNote({ later }: Batch): string {
  const [first] = later.values();
  if (first === undefined) return '';
  return `; ${later.size} put off: ${cutText(first.text ?? first.class ?? 'it is tried again', MOST_REASON_BYTES)}`;
}

const MOST_REASON_BYTES = 200;

/** Of a batch that somebody has repeated. */
function againNote({ again }: Batch): string {
  return again.size === 0 ? '' : `; ${plural(again.size, 'run')} to be asked once more`;
}

/** Of what goes on, what a person has to mend or to resume. */
function heldNote(batch: Batch): string {
  const blocked = itemsIn(batch, ItemState.blocked);
  const { length: silent } = blocked.filter(({ line }) => batch.unasked.includes(line));
  const parts = [
    ...(blocked.length > 0 ? [`${blocked.length} blocked`] : []),
    ...(silent > 0 ? [`no answer of ${plural(silent, 'run')} to the last resume`] : []),
    ...notesOfPaused(pausedItems(batch)),
  ];
  return parts.length === 0 ? '' : ` (${parts.join(', ')})`;
}

export function noteOf(batch: Batch): string {
  const { asked, succeeded, failed, pending } = countsOf(batch);
  const earlier = batch.before.size === 0 ? '' : ` (${batch.before.size} before)`;
  return `${succeeded} of ${asked} done${earlier}, ${failed} failed, ${pending} going on${heldNote(batch)}${laterNote(batch)}${againNote(batch)}`;
}
