import { workflowInfo } from '@temporalio/workflow';

import {
  ItemState,
  TOO_MANY_FAILURES,
  type BatchTerms,
  type SeenItem,
} from '../../../contract/wire/batch.js';
import { startedByOf, UNKNOWN_IDENTITY } from '../../../engine/core/identity.js';
import { toRanges } from '../../../engine/core/number-ranges.js';
import { isBlocking, parkWhileBlocked } from '../../../engine/run/park-while-blocked.js';
import { judgeFailures } from '../../shared/judge-items.js';
import { startItems } from './batch-activities.js';
import {
  countsOf,
  isKnown,
  markOfBatch,
  note,
  type Batch,
  type BatchRun,
  type Page,
} from './batch-state.js';

/** Who is told to have started the runs. */
export function starterOf(): string {
  return startedByOf(workflowInfo().memo)?.by ?? UNKNOWN_IDENTITY;
}

/** Starts items while there is room for them. A list that cannot be read now holds up nothing that goes on. */
export async function startMore(run: BatchRun, batch: Batch): Promise<void> {
  for (let lines = nextLines(run, batch); lines.length > 0; lines = nextLines(run, batch)) {
    batch.since ??= Date.now();
    for (const [page, wanted] of byPage(batch, lines)) {
      try {
        const start = () => startFrom(run, batch.terms, [page, wanted]);
        const seen = await (batch.open.size > 0 ? start() : parkWhileBlocked(run, start));
        for (const item of seen) noteStarted(batch, item);
      } catch (error) {
        if (!isBlocking(error)) throw error;
        for (const line of lines) {
          if (!isKnown(batch, line)) noteStarted(batch, { line, state: ItemState.later });
        }
        return;
      }
    }
    stopIfAsked(run, batch);
  }
}

/** The first one that is put off decides when they are tried again. */
function noteStarted(batch: Batch, item: SeenItem): void {
  if (item.state === ItemState.later && batch.later.size === 0) {
    batch.laterAt = Date.now() + LATER_MS;
  }
  note(batch, item);
}

function startFrom(
  { input }: BatchRun,
  terms: BatchTerms,
  [{ range }, wanted]: readonly [Page, readonly number[]],
): Promise<SeenItem[]> {
  const { items = [], manifest, urgency } = input;
  const isListed = range !== undefined && manifest !== undefined;
  return startItems({
    terms,
    lines: toRanges(wanted),
    batch: markOfBatch(),
    by: starterOf(),
    ...(urgency && { urgency }),
    ...(isListed
      ? { page: { manifest, range } }
      : { items: wanted.map((line) => items[line - 1]) }),
  });
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

/** What could not be started is tried again after this. */
const LATER_MS = 30_000;

/** When there is something to try again, in milliseconds from now; `undefined` when there is not. */
export function laterIn({ later, laterAt }: Batch): number | undefined {
  return later.size === 0 ? undefined : Math.max(0, laterAt - Date.now());
}

/** Tries once more what could not be started, when it is time. */
export async function startLater(run: BatchRun, batch: Batch): Promise<void> {
  const isHeld = run.controls.pause.isPaused() || batch.stopped !== undefined;
  if (isHeld || laterIn(batch) !== 0) return;
  batch.laterAt = Date.now() + LATER_MS;
  for (const [page, wanted] of byPage(batch, [...batch.later.keys()])) {
    const start = () => startFrom(run, batch.terms, [page, wanted]);
    for (const item of await parkWhileBlocked(run, start)) note(batch, item);
  }
}

/** Whether an item has failed, or is blocked, as something after which no further one is to start. */
export function stopIfAsked({ input, prepared }: BatchRun, batch: Batch): void {
  const { stopOn = [] } = input;
  if (batch.stopped !== undefined || stopOn.length === 0) return;
  const counts = countsOf(batch);
  const blocked = [...batch.open.values()].filter(({ state }) => state === ItemState.blocked);
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
