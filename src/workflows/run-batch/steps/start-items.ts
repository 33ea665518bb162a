import {
  CancellationScope,
  CancelledFailure,
  isCancellation,
  TemporalFailure,
  workflowInfo,
} from '@temporalio/workflow';

import type { StartItemsInput } from '../../../activities/batch/create-batch-activities.js';
import {
  ItemState,
  TOO_MANY_FAILURES,
  type BatchTerms,
  type SeenItem,
} from '../../../contract/wire/batch.js';
import { startedByOf, UNKNOWN_IDENTITY } from '../../../engine/core/identity.js';
import { toRanges } from '../../../engine/core/number-ranges.js';
import { firstEvent } from '../../../engine/run/earlier-history.js';
import { engineActivities } from '../../../engine/run/engine-activities.js';
import { failureOf } from '../../../engine/run/failures.js';
import { isBlocking, parkWhileBlocked } from '../../../engine/run/park-while-blocked.js';
import { judgeFailures } from '../../shared/judge-items.js';
import { findItems, startItems } from './batch-activities.js';
import {
  countsOf,
  itemsIn,
  markOfBatch,
  note,
  noteAgain,
  type Batch,
  type BatchRun,
  type Page,
} from './batch-state.js';

/** Who is told to have started the runs. */
export function starterOf(): string {
  return startedByOf(workflowInfo().memo)?.by ?? UNKNOWN_IDENTITY;
}

/** Starts items while there is room for them. */
export async function startMore(run: BatchRun, batch: Batch): Promise<void> {
  for (let lines = nextLines(run, batch); lines.length > 0; lines = nextLines(run, batch)) {
    batch.since ??= Date.now();
    for (const part of byPage(batch, lines)) await startPart(run, batch, part);
    stopIfAsked(run, batch);
  }
}

/** Some lines of one page. */
type Part = readonly [Page, readonly number[]];

/**
 * A list that cannot be read now holds up nothing that goes on: its items are put off. What has no answer may have been
 * begun all the same: it is put off too, until a later start or a look finds it.
 */
async function startPart(run: BatchRun, batch: Batch, part: Part): Promise<void> {
  const [, lines] = part;
  const putOff = (text: string): void => {
    for (const line of lines) note(batch, { line, state: ItemState.later, text });
  };
  // The first one that is put off decides when they are tried again.
  const laterAt = batch.later.size === 0 ? nextTry(run) : batch.laterAt;
  putOff('no answer yet whether it was started');
  const { lastRepeatAt: repeatedAt, repeats } = batch;
  const repeated = repeatedAt > 0 && { repeatedAt };
  const asked = { ...askedOf(run, batch.terms, part), ...repeated };
  const start = () => untilPaused(run, () => startItems(asked));
  const isAlone = batch.open.size === 0;
  try {
    for (const item of await (isAlone ? parkWhileBlocked(run, start) : start())) note(batch, item);
  } catch (error) {
    if (isAlone || !isBlocking(error)) throw error;
    putOff(failureOf(error)?.message ?? '');
  }
  batch.laterAt = laterAt;
  if (batch.repeats > repeats) askWhatCame(batch, lines);
}

/** Somebody has repeated the batch while these were being started: they may have begun long before. */
function askWhatCame({ ids, later, again }: Batch, lines: readonly number[]): void {
  for (const line of lines) if (ids.has(line) && !later.has(line)) again.add(line);
}

/** A pause takes back what has not been started. Once the batch is to end, only its end counts. */
async function untilPaused(
  { controls }: BatchRun,
  start: () => Promise<SeenItem[]>,
): Promise<SeenItem[]> {
  const isEnding = () => CancellationScope.current().consideredCancelled;
  if (controls.pause.isPaused()) return [];
  const scope = new CancellationScope();
  const heard = controls.pause.onPause(() => {
    scope.cancel();
  });
  try {
    return await scope.run(start);
  } catch (error) {
    // A worker that is lost answers with a timeout, whatever it was told.
    if (!scope.consideredCancelled || !(error instanceof TemporalFailure)) throw error;
    if (isEnding()) throw new CancelledFailure('the batch is to end while it starts its items');
    return [];
  } finally {
    heard();
  }
}

/** Looks for what was begun without an answer. What it does not find was not started, and nothing starts it any more. */
export async function findBegun(run: BatchRun, batch: Batch): Promise<void> {
  const { later } = batch;
  const { lines, found } = await find(run, batch, { wanted: [...later.keys()] });
  for (const line of lines) later.delete(line);
  for (const item of found) note(batch, item);
}

/** The same of what was asked once more. What it does not find is what it was. */
export async function findBegunAgain(run: BatchRun, batch: Batch): Promise<void> {
  const { again, repeatedAt } = batch;
  const { lines, found } = await find(run, batch, { wanted: [...again], since: repeatedAt });
  for (const line of lines) again.delete(line);
  for (const item of found) noteAgain(batch, item);
}

/** A run whose history does not tell all that the batch has begun looks for that too where nothing starts it any more. */
export async function findUnseen(run: BatchRun, batch: Batch): Promise<void> {
  const unseen = batch.lines.slice(batch.next);
  if (batch.isSearched || unseen.length === 0) return;
  batch.isSearched = true;
  if (!batch.wasReset && !(await mayHaveBegun())) return;
  const { lines, found } = await find(run, batch, { wanted: unseen });
  const known = new Set(lines);
  for (const line of unseen) if (!known.has(line)) note(batch, { line, state: ItemState.later });
  for (const item of found) note(batch, item);
}

/**
 * Whether the batch may have begun items of which this history says nothing: its events were copied from a run that an operator
 * has reset, or the try before it was cut short.
 */
export async function mayHaveBegun(): Promise<boolean> {
  if (followsCutShort()) return true;
  return (await engineActivities.currentRunId()) !== workflowInfo().originalExecutionRunId;
}

function followsCutShort(): boolean {
  return firstEvent().cutShortAt !== undefined;
}

interface Wanted {
  wanted: readonly number[];
  /** Earlier runs that have ended do not count, in milliseconds since the epoch. */
  since?: number;
}

const EARLIER_TOO = { earlierToo: true } as const;

/** What was found, and of which lines that is all. Of the others nobody knows, as the step says. */
async function find(
  run: BatchRun,
  batch: Batch,
  { wanted, since }: Wanted,
): Promise<{ lines: number[]; found: SeenItem[] }> {
  const known: { lines: number[]; found: SeenItem[] } = { lines: [], found: [] };
  for (const part of byPage(batch, wanted)) {
    const asked = { ...askedOf(run, batch.terms, part), ...(followsCutShort() && EARLIER_TOO) };
    try {
      known.found.push(...(await findItems({ ...asked, ...(since !== undefined && { since }) })));
      known.lines.push(...part[1]);
    } catch (error) {
      if (isCancellation(error) || !(error instanceof TemporalFailure)) throw error;
    }
  }
  return known;
}

function askedOf(
  { input }: BatchRun,
  terms: BatchTerms,
  [{ range }, wanted]: Part,
): StartItemsInput {
  const { items = [], manifest, urgency } = input;
  const isListed = range !== undefined && manifest !== undefined;
  return {
    terms,
    lines: toRanges(wanted),
    batch: markOfBatch(),
    by: starterOf(),
    ...(urgency && { urgency }),
    ...(isListed
      ? { page: { manifest, range } }
      : { items: wanted.map((line) => items[line - 1]) }),
  };
}

/** The lines that may start now: no more than there is room for. */
function nextLines(run: BatchRun, batch: Batch): number[] {
  const { atOnce, canary = batch.asked } = run.prepared;
  if (run.controls.pause.isPaused() || batch.stopped !== undefined) return [];
  const until = batch.isCanaryDone ? batch.asked : Math.min(canary, batch.asked);
  const room = Math.max(0, atOnce - batch.open.size - batch.later.size);
  const from = batch.next;
  batch.next = Math.min(until, from + room);
  return batch.lines.slice(from, batch.next);
}

/** The lines by the page that they are on. */
function byPage({ pageOf }: Batch, lines: Iterable<number>): Map<Page, number[]> {
  const pages = new Map<Page, number[]>();
  for (const line of lines) {
    const page = pageOf.get(line);
    if (page !== undefined) pages.set(page, [...(pages.get(page) ?? []), line]);
  }
  return pages;
}

/** What could not be started is tried again after so many looks: half a minute. */
const LOOKS_BETWEEN_TRIES = 15;

function nextTry({ prepared }: BatchRun): number {
  return Date.now() + prepared.policy.poll.minMs * LOOKS_BETWEEN_TRIES;
}

/** When something is to be tried again, in milliseconds from now; `undefined` when nothing is, or a person has to resume first. */
export function laterIn({ controls }: BatchRun, batch: Batch): number | undefined {
  const { later, laterAt, again, againAt, stopped } = batch;
  if (controls.pause.isPaused()) return undefined;
  const isLater = later.size > 0 && stopped === undefined;
  const times = [...(isLater ? [laterAt] : []), ...(again.size > 0 ? [againAt] : [])];
  return times.length === 0 ? undefined : Math.max(0, Math.min(...times) - Date.now());
}

/** Tries once more what could not be started, when it is time, or when somebody has resumed the batch. */
export async function startLater(run: BatchRun, batch: Batch, isResumed: boolean): Promise<void> {
  const isHeld = run.controls.pause.isPaused() || batch.stopped !== undefined;
  const isTime = (batch.later.size > 0 && batch.laterAt <= Date.now()) || isResumed;
  if (isHeld || !isTime) return;
  batch.laterAt = nextTry(run);
  for (const part of byPage(batch, [...batch.later.keys()])) await startPart(run, batch, part);
}

/**
 * Asks the runs of what was begun once more, after somebody has repeated the batch: what they hold lasts as long as asked from
 * now, and what has ended starts again. A run that does not answer is asked later, and is what it was until then.
 */
export async function askAgain(run: BatchRun, batch: Batch): Promise<void> {
  const { again } = batch;
  if (again.size === 0 || batch.againAt > Date.now() || run.controls.pause.isPaused()) return;
  batch.againAt = nextTry(run);
  for (const part of byPage(batch, again)) {
    const asked = { ...askedOf(run, batch.terms, part), again: true } as const;
    const { repeats } = batch;
    for (const item of await untilPaused(run, () => orNoneNow(startItems(asked)))) {
      if (item.state === ItemState.later) continue;
      // Whoever has repeated the batch meanwhile asks for more than that.
      if (batch.repeats === repeats) again.delete(item.line);
      // What was refused leaves a run that goes on as it was. What has ended was asked for once more, and is not so.
      if (item.runId !== undefined || !batch.open.has(item.line)) noteAgain(batch, item);
    }
  }
}

/** A list that cannot be read now is read later. */
async function orNoneNow(seen: Promise<SeenItem[]>): Promise<SeenItem[]> {
  try {
    return await seen;
  } catch (error) {
    if (isBlocking(error)) return [];
    throw error;
  }
}

/** Whether an item has failed, or is blocked, as something after which no further one is to start. */
export function stopIfAsked({ input, prepared }: BatchRun, batch: Batch): void {
  const { stopOn = [] } = input;
  if (batch.stopped !== undefined || stopOn.length === 0) return;
  const counts = countsOf(batch);
  const blocked = itemsIn(batch, ItemState.blocked);
  const met = new Set([
    ...Object.keys(counts.byClass),
    ...blocked.flatMap((item) => item.class ?? []),
  ]);
  const tooMany =
    stopOn.includes(TOO_MANY_FAILURES) &&
    judgeFailures({ counts, tolerate: prepared.tolerate, scope: 'all', of: 'item' }) !== undefined;
  const type = stopOn.find((one) => met.has(one)) ?? (tooMany ? TOO_MANY_FAILURES : undefined);
  if (type !== undefined) batch.stopped = type;
}
