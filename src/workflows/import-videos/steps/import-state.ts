import type { PreparedImportVideos } from '../../../contract/prepared/import-videos.js';
import type { ManifestRange } from '../../../activities/manifest/scan-manifest.js';
import { countRanges, toRanges } from '../../../contract/number-ranges.js';
import type {
  ImportReport,
  ImportVideosInput,
  ImportVideosResult,
} from '../../../contract/operations/import-videos.js';
import type { Planned } from '../../../contract/plan.js';
import { continueRunAsNew, isHistoryLong } from '../../engine/run/continue-run-as-new.js';
import type { Run } from '../../engine/run/run-types.js';
import {
  createImportProgress,
  NOTHING_KNOWN,
  type ImportProgress,
  type KnownVideos,
} from './import-progress.js';

export type ImportRun = Run<PreparedImportVideos, ImportVideosInput>;

/** Lines that are sent with one call. */
export interface ImportBatch {
  lines: string;
  /** Where they stand in the manifest. */
  range?: ManifestRange;
}

/** How far an import has come. Goes on in a new history as it is. */
export interface ImportState {
  batches: ImportBatch[];
  /** Index of the next batch. */
  next: number;
  /** An earlier run of this id may have made some of them. */
  looksFirst: boolean;
  /** What has a marker of the caller's own counts as ours only when it was made since then. */
  since: number;
  /** Since when the videos that have been made are waited for, in milliseconds since the epoch. */
  awaitedSince?: number;
  isCanaryDone: boolean;
  known: KnownVideos;
}

/** An import at work. */
export interface Import extends Omit<ImportState, 'known'> {
  readonly progress: ImportProgress;
  /** The input that the batches were made from. */
  readonly input: ImportVideosInput;
  readonly asked: number;
}

export function beginImport(run: ImportRun, batches: ImportBatch[], now: number): Import {
  const { since } = run.prepared.earlier;
  return toImport(run, {
    batches,
    next: 0,
    looksFirst: since !== undefined,
    since: since ?? now,
    isCanaryDone: run.prepared.canary === undefined,
    known: NOTHING_KNOWN,
  });
}

export function toImport(run: ImportRun, { known, ...state }: ImportState): Import {
  return {
    ...state,
    progress: createImportProgress(known, run.prepared.waitFor !== 'created'),
    input: run.input,
    asked: state.batches.reduce((sum, { lines }) => sum + countRanges(lines), 0),
  };
}

function toState(current: Import): ImportState {
  const { batches, next, looksFirst, since, awaitedSince, isCanaryDone, progress } = current;
  const awaited = awaitedSince === undefined ? {} : { awaitedSince };
  return { batches, next, looksFirst, since, ...awaited, isCanaryDone, known: progress.known() };
}

/** The workflow that goes on from a state. */
export type ResumableImport = (
  input: ImportVideosInput,
  before?: ImportState,
) => Promise<ImportVideosResult | Planned>;

/** Between two calls: what was made is known, and nothing is to be undone. */
export async function continueRunAsNewIfLong(run: ImportRun, current: Import): Promise<void> {
  if (!isHistoryLong(run)) return;
  await continueRunAsNew<ResumableImport>(run, [run.input, toState(current)]);
}

/** Before the list has been read. */
export const EMPTY_REPORT: ImportReport = { outcome: 'viewable', lines: '', ...NOTHING_KNOWN };

export function toReport(run: ImportRun, { batches, progress }: Import): ImportReport {
  const lines = joined(batches.map((batch) => batch.lines));
  return { outcome: run.prepared.waitFor, lines, ...progress.known() };
}

/** `1-500` and `501-700` → `1-700` */
function joined(parts: readonly string[]): string {
  const bounds = parts.flatMap((part) => part.split(' '));
  const merged: [number, number][] = [];
  for (const bound of bounds) {
    const [first = Number.NaN, last = first] = bound.split('-').map(Number);
    const before = merged.at(-1);
    if (before !== undefined && before[1] + 1 === first) before[1] = last;
    else merged.push([first, last]);
  }
  return merged
    .map(([first, last]) => (first === last ? toRanges([first]) : `${first}-${last}`))
    .join(' ');
}

export function rangeLines({ line, count, only }: ManifestRange): string {
  if (only !== undefined) return only;
  return count === 1 ? String(line) : `${line}-${line + count - 1}`;
}
