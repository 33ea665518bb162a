import type { FieldsOf } from '../../../engine/core/prepared-run.js';
import type { PreparedImportVideos } from '../../../contract/wire/prepared.js';
import { MOST_DETAILS_IN_RESULT } from '../../../contract/wire/videos.js';
import { countRanges, toRanges } from '../../../engine/core/number-ranges.js';
import type {
  ImportReport,
  ImportVideosInput,
  ImportVideosResult,
} from '../../../contract/operations/types.js';
import type { Planned } from '../../../engine/schema/documents.js';
import { continueRunAsNew, isTimeToContinue } from '../../../engine/run/continue-run-as-new.js';
import {
  EARLIER_FIELDS,
  toEarlierHistory,
  type EarlierHistory,
  type KnownRun,
} from '../../../engine/run/earlier-history.js';
import type { Run } from '../../gcore.js';
import type { ImportBatch } from './import-batch.js';
import { askedLines, fromCuts, toCuts, withLines, type BatchCut } from './asked-lines.js';
import { roomForDetails } from './handed-size.js';
import {
  createImportProgress,
  NOTHING_KNOWN,
  type ImportProgress,
  type KnownVideos,
} from './import-progress.js';

export type ImportRun = Run<PreparedImportVideos, ImportVideosInput>;

/** What an import is asked to do. */
type GivenRun = Pick<ImportRun, 'input' | 'prepared'>;

/** An import, as it is handed to a new history. */
export interface ImportState extends EarlierHistory<PreparedImportVideos>, Progress {
  /** The batches of a manifest. Those of inline videos are prepared. */
  cuts: BatchCut[];
  /** Names lines by their place among the asked ones; see `AskedLines`. */
  known: KnownVideos;
}

/** How far an import has come. */
interface Progress {
  /** Index of the next batch. */
  next: number;
  /** An earlier run with this id may have made some of the videos. */
  looksFirst: boolean;
  /** A video with the caller's own marker counts as ours only when it was made since then. */
  since: number;
  /** Lines have markers of the caller, which videos of others may have too. */
  hasOwnIds?: boolean;
  /** When the wait for the videos began, in milliseconds since the epoch. */
  awaitedSince?: number;
  isCanaryDone: boolean;
}

/** What this version knows of `ImportState`. */
export const STATE_FIELDS = {
  ...EARLIER_FIELDS,
  cuts: true,
  next: true,
  looksFirst: true,
  since: true,
  hasOwnIds: true,
  awaitedSince: true,
  isCanaryDone: true,
  known: true,
} as const satisfies FieldsOf<ImportState>;

/** A running import. */
export interface Import extends Progress {
  readonly batches: ImportBatch[];
  readonly progress: ImportProgress;
  /** Lines of the call that has gone out, until it is known what has become of them. */
  unknown: string;
  /** The input that the batches come from. */
  readonly input: ImportVideosInput;
  readonly asked: number;
}

/** A list of videos, cut into batches. */
export interface VideoList {
  batches: ImportBatch[];
  digest: string;
  /** A line has a marker of the caller. */
  hasOwnIds?: boolean;
}

export function beginImport(
  run: GivenRun,
  { batches, hasOwnIds = false }: Omit<VideoList, 'digest'>,
  now: number,
): Import {
  const { since, digests } = run.prepared.earlier;
  const isUnlisted = digests === 'unknown';
  return toRunning(run, batches, {
    known: NOTHING_KNOWN,
    next: 0,
    looksFirst: isUnlisted || since !== undefined,
    since: isUnlisted ? 0 : (since ?? now),
    ...(hasOwnIds && { hasOwnIds }),
    isCanaryDone: run.prepared.canary === undefined,
  });
}

/** Goes on where the history before has stopped. */
export function toImport(run: GivenRun, state: ImportState): Import {
  const { cuts, known, next, looksFirst, since, hasOwnIds, awaitedSince } = state;
  const asked = askedLines(run.input.lines);
  return toRunning(run, run.prepared.inline?.batches ?? fromCuts(cuts, asked), {
    next,
    looksFirst,
    since,
    isCanaryDone: state.isCanaryDone,
    ...(hasOwnIds === true && { hasOwnIds }),
    ...(awaitedSince !== undefined && { awaitedSince }),
    known: withLines(known, asked.toLines),
  });
}

function toRunning(
  run: GivenRun,
  batches: ImportBatch[],
  { known, ...progress }: Progress & { known: KnownVideos },
): Import {
  return {
    ...progress,
    batches,
    progress: createImportProgress(known, {
      isAwaited: run.prepared.waitFor !== 'created',
      room: roomForDetails({ ...run, batches }),
    }),
    unknown: '',
    input: run.input,
    asked: batches.reduce((sum, { lines }) => sum + countRanges(lines), 0),
  };
}

/** What this history hands over. */
export function toState(run: KnownRun<PreparedImportVideos>, current: Import): ImportState {
  const { progress, batches, next, looksFirst, since, isCanaryDone } = current;
  const { awaitedSince, hasOwnIds } = current;
  return {
    ...toEarlierHistory(run),
    cuts: toCuts(batches),
    next,
    looksFirst,
    since,
    isCanaryDone,
    ...(awaitedSince !== undefined && { awaitedSince }),
    ...(hasOwnIds === true && { hasOwnIds }),
    known: withLines(progress.known(), askedLines(current.input.lines).toPlaces),
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
  await continueRunAsNew<ResumableImport>(run, () => [run.input, toState(run, current)]);
}

/** The report before the list has been read. */
export const EMPTY_REPORT: ImportReport = { outcome: 'viewable', lines: '', ...NOTHING_KNOWN };

export function toReport(run: GivenRun, { batches, progress, unknown }: Import): ImportReport {
  const lines = joinRanges(batches.map((batch) => batch.lines));
  const open = unknown !== '' && { unknown };
  return { outcome: run.prepared.waitFor, lines, ...progress.known(), ...open };
}

/** The report as a result has it: what everybody reads stays small. */
export function toShortReport(run: GivenRun, current: Import): ImportReport {
  const { details, ...report } = toReport(run, current);
  return { ...report, ...(details && { details: details.slice(0, MOST_DETAILS_IN_RESULT) }) };
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
