import type { FieldsOf } from '../../../contract/prepared/known-fields.js';
import type { PreparedImportVideos } from '../../../contract/prepared/import-videos.js';
import type { ManifestRange } from '../../../activities/manifest/scan-manifest.js';
import { countRanges, toRanges } from '../../../contract/number-ranges.js';
import type {
  ImportReport,
  ImportVideosInput,
  ImportVideosResult,
} from '../../../contract/operations/import-videos.js';
import type { Planned } from '../../../contract/plan.js';
import { continueRunAsNew, isTimeToContinue } from '../../engine/run/continue-run-as-new.js';
import type { Run } from '../../engine/run/run-types.js';
import {
  createImportProgress,
  NOTHING_KNOWN,
  type ImportProgress,
  type KnownVideos,
} from './import-progress.js';

export type ImportRun = Run<PreparedImportVideos, ImportVideosInput>;

/** Lines that one call sends. */
export interface ImportBatch {
  lines: string;
  /** Their place in the manifest. */
  range?: ManifestRange;
}

/** The progress of an import, as it is handed to a new history. */
export interface ImportState {
  batches: ImportBatch[];
  /** Index of the next batch. */
  next: number;
  /** An earlier run with this id may have made some of the videos. */
  looksFirst: boolean;
  /** A video with the caller's own marker counts as ours only when it was made since then. */
  since: number;
  /** Nobody could say whether earlier runs imported another list: what is found has to prove itself. */
  isUnlisted?: boolean;
  /** When the wait for the videos began, in milliseconds since the epoch. */
  awaitedSince?: number;
  isCanaryDone: boolean;
  known: KnownVideos;
}

/** What this version knows of `ImportState`. */
export const STATE_FIELDS = {
  batches: true,
  next: true,
  looksFirst: true,
  since: true,
  isUnlisted: true,
  awaitedSince: true,
  isCanaryDone: true,
  known: true,
} as const satisfies FieldsOf<ImportState>;

/** A running import. */
export interface Import extends Omit<ImportState, 'known'> {
  readonly progress: ImportProgress;
  /** The input that the batches come from. */
  readonly input: ImportVideosInput;
  readonly asked: number;
}

export function beginImport(run: ImportRun, batches: ImportBatch[], now: number): Import {
  const { since, digests } = run.prepared.earlier;
  const isUnlisted = digests === 'unknown';
  return toImport(run, {
    batches,
    next: 0,
    looksFirst: isUnlisted || since !== undefined,
    since: isUnlisted ? 0 : (since ?? now),
    ...(isUnlisted && { isUnlisted }),
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
  const { progress, batches, next, looksFirst, since, isCanaryDone } = current;
  const { awaitedSince, isUnlisted } = current;
  return {
    ...{ batches, next, looksFirst, since, isCanaryDone },
    ...(awaitedSince !== undefined && { awaitedSince }),
    ...(isUnlisted === true && { isUnlisted }),
    known: progress.known(),
  };
}

/** The workflow that continues from a state. */
export type ResumableImport = (
  input: ImportVideosInput,
  before?: ImportState,
) => Promise<ImportVideosResult | Planned>;

/** Call it only between two calls, when all videos that were made are known. */
export async function continueRunAsNewIfLong(run: ImportRun, current: Import): Promise<void> {
  if (!isTimeToContinue(run)) return;
  await continueRunAsNew<ResumableImport>(run, () => [run.input, toState(current)]);
}

/** The report before the list has been read. */
export const EMPTY_REPORT: ImportReport = { outcome: 'viewable', lines: '', ...NOTHING_KNOWN };

export function toReport(run: ImportRun, { batches, progress }: Import): ImportReport {
  const lines = joinRanges(batches.map((batch) => batch.lines));
  return { outcome: run.prepared.waitFor, lines, ...progress.known() };
}

/** `1-500` and `501-700` → `1-700` */
function joinRanges(parts: readonly string[]): string {
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
