import { workflowInfo } from '@temporalio/workflow';

import type { ManifestRange } from '../../../activities/manifest/scan-manifest.js';
import type { OpenItem } from '../../../activities/batch/batch-runs.js';
import type {
  BatchReport,
  RunBatchInput,
  RunBatchResult,
} from '../../../contract/operations/types.js';
import {
  idsByLine,
  ItemState,
  type BatchTerms,
  type SeenItem,
} from '../../../contract/wire/batch.js';
import type { PreparedRunBatch } from '../../../contract/wire/prepared.js';
import type { FieldsOf } from '../../../engine/core/prepared-run.js';
import { fromRanges, toRanges } from '../../../engine/core/number-ranges.js';
import type { ItemCounts } from '../../../engine/core/status.js';
import type { Planned } from '../../../engine/schema/documents.js';
import { continueRunAsNew, isTimeToContinue } from '../../../engine/run/continue-run-as-new.js';
import {
  EARLIER_FIELDS,
  toEarlierHistory,
  type EarlierHistory,
} from '../../../engine/run/earlier-history.js';
import type { Run } from '../../gcore.js';
import { createLineGroups, toSortedRanges, type LineGroups } from '../../shared/line-groups.js';

export type BatchRun = Run<PreparedRunBatch, RunBatchInput>;

/** Some consecutive ones of the asked lines. */
export interface Page {
  lines: string;
  /** Where they are; the lines of a list in the input need no place. */
  range?: ManifestRange;
}

/** A batch that goes on. */
export interface Batch {
  readonly terms: BatchTerms;
  readonly pages: readonly Page[];
  /** All asked lines, in order, and where each is. */
  readonly lines: readonly number[];
  readonly pageOf: ReadonlyMap<number, Page>;
  readonly asked: number;
  /** How many of the asked lines have been given to a start. */
  next: number;
  isCanaryDone: boolean;
  /** Why no further item is started. */
  stopped?: string | undefined;
  /** When the first item was started, in milliseconds since the epoch. */
  since?: number | undefined;
  readonly open: Map<number, OpenItem>;
  /** Items that could not be started, with the reason. They are tried again. */
  readonly later: Map<number, SeenItem>;
  /** When they are tried again, in milliseconds since the epoch. */
  laterAt: number;
  readonly succeeded: Set<number>;
  /** Of those: whose requests had succeeded before. */
  readonly before: Set<number>;
  /** Lines whose runs somebody else has started. */
  readonly joined: Set<number>;
  readonly failed: LineGroups;
  /** Request ids by line. */
  readonly ids: Map<number, string>;
  /** Lines that were begun, and whose runs are to be asked once more because somebody has repeated the batch. */
  readonly again: Set<number>;
  /** When they are asked, in milliseconds since the epoch. */
  againAt: number;
  /** When somebody has first repeated the batch for them, in milliseconds since the epoch. */
  repeatedAt: number;
  /** When somebody has last repeated it, in milliseconds since the epoch: what is found later as begun before that is asked too. */
  lastRepeatAt: number;
  /** How often this history has been repeated. */
  repeats: number;
  /** How many times `resume` of this history has been carried out. */
  heard: number;
  /** The lines whose runs did not answer the last `resume`. */
  unasked: readonly number[];
  /** An earlier history is known to have been reset. */
  wasReset: boolean;
  /** It has looked for what was begun before a reset. */
  isSearched: boolean;
}

/** A batch, as it is handed to a new history. */
export interface BatchState extends EarlierHistory<PreparedRunBatch> {
  pages: Page[];
  next: number;
  isCanaryDone: boolean;
  stopped?: string;
  since?: number;
  open: OpenItem[];
  later: SeenItem[];
  succeeded: string;
  before: string;
  joined?: string;
  failed: BatchReport['failed'];
  ids: BatchReport['ids'];
  again?: string;
  repeatedAt?: number;
  wasReset?: true;
}

/** What this version knows of `BatchState`. */
export const STATE_FIELDS = {
  ...EARLIER_FIELDS,
  pages: true,
  next: true,
  isCanaryDone: true,
  stopped: true,
  since: true,
  open: true,
  later: true,
  succeeded: true,
  before: true,
  joined: true,
  failed: true,
  ids: true,
  again: true,
  repeatedAt: true,
  wasReset: true,
} as const satisfies FieldsOf<BatchState>;

type Begun = Pick<BatchRun, 'prepared'>;

export function beginBatch(
  { prepared, controls }: Begun & Pick<BatchRun, 'controls'>,
  pages: readonly Page[],
): Batch {
  const batch = toRunning({ prepared }, pages, {
    next: 0,
    isCanaryDone: prepared.canary === undefined,
    open: [],
    later: [],
    succeeded: '',
    before: '',
    failed: [],
    ids: [],
  });
  // A `resume` of the check concerns no item.
  return { ...batch, heard: controls.resumes() };
}

/** Goes on where the history before has stopped. */
export function toBatch(run: Begun, state: BatchState): Batch {
  return toRunning(run, state.pages, state);
}

type Progress = Omit<BatchState, keyof EarlierHistory<unknown> | 'pages'>;

function toRunning({ prepared }: Begun, pages: readonly Page[], known: Progress): Batch {
  const byLine = <T extends SeenItem>(items: readonly T[]) =>
    new Map(items.map((item): [number, T] => [item.line, item]));
  const placed = pages.flatMap((page) =>
    [...fromRanges(page.lines)].map((line): [number, Page] => [line, page]),
  );
  return {
    terms: prepared.terms,
    pages,
    lines: placed.map(([line]) => line),
    pageOf: new Map(placed),
    asked: placed.length,
    laterAt: 0,
    next: known.next,
    isCanaryDone: known.isCanaryDone,
    stopped: known.stopped,
    since: known.since,
    open: byLine(known.open),
    later: byLine(known.later),
    succeeded: new Set(fromRanges(known.succeeded)),
    before: new Set(fromRanges(known.before)),
    joined: new Set(fromRanges(known.joined ?? '')),
    failed: createLineGroups(known.failed),
    ids: idsByLine(known.ids),
    again: new Set(fromRanges(known.again ?? '')),
    againAt: 0,
    repeatedAt: known.repeatedAt ?? 0,
    lastRepeatAt: known.repeatedAt ?? 0,
    repeats: 0,
    heard: 0,
    unasked: [],
    wasReset: known.wasReset ?? false,
    isSearched: false,
  };
}

/** Records what was seen of an item. */
export function note(batch: Batch, item: SeenItem): void {
  const { line, state, id, runId, class: kind = state, text = '' } = item;
  noteWhose(batch, item);
  batch.open.delete(line);
  batch.later.delete(line);
  if (id !== undefined) batch.ids.set(line, id);
  if (item.before === true) batch.before.add(line);
  if (state === ItemState.later) batch.later.set(line, item);
  else if (state === ItemState.succeeded) batch.succeeded.add(line);
  else if (state === ItemState.failed || runId === undefined || id === undefined) {
    batch.failed.add({ class: kind, text }, line);
  } else batch.open.set(line, { ...item, id, runId });
}

function noteWhose({ joined }: Batch, { line, runId, isJoined }: SeenItem): void {
  if (isJoined === true) joined.add(line);
  else if (runId !== undefined) joined.delete(line);
}

/** The same of an item that has been asked once more: what was known of it before is over. */
export function noteAgain(batch: Batch, item: SeenItem): void {
  const { line } = item;
  batch.succeeded.delete(line);
  batch.before.delete(line);
  batch.failed.remove(line);
  note(batch, item);
}

export function itemsIn({ open }: Batch, state: ItemState): OpenItem[] {
  return [...open.values()].filter((item) => item.state === state);
}

/** Those that this batch has started. Somebody else relies on the others, and asks them. */
export function ownItems(items: Iterable<OpenItem>): OpenItem[] {
  return [...items].filter(({ isJoined }) => isJoined !== true);
}

export function countsOf({ asked, succeeded, failed, open }: Batch): ItemCounts {
  const ended = succeeded.size + failed.count();
  return {
    asked,
    succeeded: succeeded.size,
    failed: failed.count(),
    pending: open.size,
    untried: asked - ended - open.size,
    warned: 0,
    byClass: failed.countByClass(),
  };
}

/** The report before the list has been read. */
export function emptyReport({ operation }: RunBatchInput): BatchReport {
  return {
    operation,
    account: '',
    lines: '',
    succeeded: '',
    before: '',
    failed: [],
    open: '',
    blocked: [],
    idPrefix: '',
    ids: [],
  };
}

export function toReport({
  terms,
  lines,
  succeeded,
  before,
  joined,
  failed,
  open,
  ids,
}: Batch): BatchReport {
  const { operation, account, prefix } = terms;
  const blocked = createLineGroups([]);
  const inOrder = [...open.values()].sort((one, other) => one.line - other.line);
  for (const { line, state, class: kind = state, text = '' } of inOrder) {
    if (state === ItemState.blocked) blocked.add({ class: kind, text }, line);
  }
  return {
    operation,
    account,
    lines: toRanges(lines),
    succeeded: toSortedRanges(succeeded),
    before: toSortedRanges(before),
    ...(joined.size > 0 && { joined: toSortedRanges(joined) }),
    failed: failed.groups(),
    open: toSortedRanges(open.keys()),
    blocked: blocked.groups(),
    idPrefix: prefix,
    ids: idsOf(ids),
  };
}

function idsOf(ids: ReadonlyMap<number, string>): BatchReport['ids'] {
  if (ids.size === 0) return [];
  const sorted = [...ids].sort(([a], [b]) => a - b);
  return [
    {
      lines: toSortedRanges(sorted.map(([line]) => line)),
      ids: sorted.map(([, id]) => id),
    },
  ];
}

function toState(run: BatchRun, batch: Batch): BatchState {
  const { pages, next, isCanaryDone, stopped, since, open, later } = batch;
  const { succeeded, before, joined, failed, ids } = toReport(batch);
  return {
    ...toEarlierHistory(run),
    pages: [...pages],
    next,
    isCanaryDone,
    ...(stopped !== undefined && { stopped }),
    ...(since !== undefined && { since }),
    open: [...open.values()],
    later: [...later.values()],
    succeeded,
    before,
    ...(joined !== undefined && { joined }),
    failed,
    ids,
    ...repeatOf(batch),
    ...(isResetNow(batch) && { wasReset: true }),
  };
}

/** A reset copies no event after the end of a history, so here the run may ask who it is. */
function isResetNow({ wasReset }: Batch): boolean {
  const { runId, originalExecutionRunId } = workflowInfo();
  return wasReset || runId !== originalExecutionRunId;
}

/** What is still to be asked, or may turn out to have begun before the repeat. */
function repeatOf({
  again,
  repeatedAt,
  lastRepeatAt,
}: Batch): Pick<BatchState, 'again' | 'repeatedAt'> {
  if (again.size > 0) return { again: toSortedRanges(again), repeatedAt };
  return lastRepeatAt > 0 ? { repeatedAt: lastRepeatAt } : {};
}

/** The workflow that continues from a state. */
export type ResumableBatch = (
  input: RunBatchInput,
  before?: BatchState,
) => Promise<RunBatchResult | Planned>;

/**
 * Call it only between two calls. A paused batch still follows its runs, so its history grows too. The next history would not
 * know of a `resume` that has not been carried out.
 */
export async function continueRunAsNewIfLong(run: BatchRun, batch: Batch): Promise<void> {
  if (!isTimeToContinue(run)) return;
  const argsNow = (): Parameters<ResumableBatch> | undefined =>
    run.controls.resumes() > batch.heard ? undefined : [run.input, toState(run, batch)];
  await continueRunAsNew<ResumableBatch>(run, argsNow, { goesOnPaused: true });
}

/** Whose items they are: the same in all histories of this run. */
export function markOfBatch(): { workflowId: string; runId: string } {
  const { workflowId, firstExecutionRunId } = workflowInfo();
  return { workflowId, runId: firstExecutionRunId };
}
