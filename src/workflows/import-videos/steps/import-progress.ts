import type { PolledVideos } from '../../../activities/videos/polled-videos.js';
import type { MadeVideos } from '../../../activities/videos/video-batch.js';
import { countRanges, fromRanges } from '../../../engine/core/number-ranges.js';
import type { ItemCounts } from '../../../engine/core/status.js';
import type { ImportReport } from '../../../contract/operations/types.js';
import { createKeptDetails, type DetailsRoom, type KeptDetails } from './kept-details.js';
import {
  createLineGroups,
  toSortedRanges,
  type LineGroup,
  type LineGroups,
} from '../../shared/line-groups.js';

/** What is known about an import, as it is handed to a new history. */
export type KnownVideos = Omit<ImportReport, 'outcome' | 'lines' | 'unknown'>;

/** The outcome of the lines of an import so far. */
export interface ImportProgress {
  made(videos: MadeVideos): void;
  /** These lines have no video and will get none. */
  refused(lines: Iterable<number>, failure: LineGroup): void;
  /** Records what a call for these ids has shown. Videos that are not listed stay pending. */
  polled(ids: string, seen: PolledVideos): void;
  /** The run no longer waits for these videos. */
  givenUp(ids: Iterable<number>, failure: LineGroup): void;
  /** The line of each video that is neither done nor failed, by the id of the video. */
  pending(): ReadonlyMap<number, number>;
  /** The ids of all videos, as ranges. */
  ids(): string[];
  /** The ids of the videos of these lines, as ranges. */
  idsOf(lines: string): string;
  counts(asked: number): ItemCounts;
  known(): KnownVideos;
  readonly details: Pick<KeptDetails, 'left' | 'keptOf'>;
}

export const NOTHING_KNOWN: KnownVideos = {
  videos: [],
  failed: [],
  warned: [],
  uploads: '',
  pending: '',
};

interface Facts {
  videos: KnownVideos['videos'];
  failures: LineGroups;
  warnings: LineGroups;
  uploads: number[];
  pending: Map<number, number>;
  /** How many lines have a video. */
  made: number;
  details: KeptDetails;
}

interface Terms {
  /** False: a video is done as soon as it has been made. */
  isAwaited: boolean;
  room: DetailsRoom;
}

/** Further ones are joined: the report of a run has to fit into one payload. */
const MAX_ENTRIES = 500;

export function createImportProgress(before: KnownVideos, terms: Terms): ImportProgress {
  const facts = toFacts(before, terms);
  const { videos, failures, warnings, uploads, pending, details } = facts;
  const givenUp: ImportProgress['givenUp'] = (ids, failure) => {
    for (const id of ids) {
      const line = pending.get(id);
      if (line !== undefined) failures.add(failure, line);
      pending.delete(id);
    }
  };
  return {
    made(made) {
      if (made.lines === '') return;
      const last = videos.length < MAX_ENTRIES ? undefined : videos.pop();
      const joined = (before = '', next: string) => `${before} ${next}`.trim();
      videos.push({ lines: joined(last?.lines, made.lines), ids: joined(last?.ids, made.ids) });
      facts.made += countRanges(made.lines);
      details.made(fromRanges(made.ids), made.details);
      const noFile = new Set(fromRanges(made.uploads));
      uploads.push(...noFile);
      if (!terms.isAwaited) return;
      for (const [id, line] of pairs(made)) if (!noFile.has(line)) pending.set(id, line);
    },
    refused(lines, failure) {
      for (const line of lines) failures.add(failure, line);
    },
    polled(ids, seen) {
      details.ended(seen.details);
      for (const { text, ids: warned } of seen.warned) {
        for (const id of fromRanges(warned)) {
          const line = pending.get(id);
          if (line !== undefined) warnings.add({ class: 'warning', text }, line);
        }
      }
      for (const failed of seen.failed) givenUp(fromRanges(failed.ids), failed);
      const open = new Set([...fromRanges(seen.pending), ...fromRanges(seen.missing)]);
      for (const id of fromRanges(ids)) if (!open.has(id)) pending.delete(id);
    },
    givenUp,
    pending: () => pending,
    ids: () => videos.map(({ ids }) => ids),
    idsOf: (lines) => {
      const wanted = new Set(fromRanges(lines));
      const made = videos.flatMap((some) => [...pairs(some)]);
      return toSortedRanges(made.filter(([, line]) => wanted.has(line)).map(([id]) => id));
    },
    counts: (asked) => toCounts(facts, asked),
    known: () => toKnown(facts),
    details,
  };
}

function toFacts(before: KnownVideos, terms: Terms): Facts {
  const warnings = before.warned.map((group) => ({ class: 'warning', ...group }));
  const pending = pendingOf(before);
  return {
    details: toKept(before, { pending, ...terms }),
    videos: [...before.videos],
    failures: createLineGroups(before.failed),
    warnings: createLineGroups(warnings),
    uploads: [...fromRanges(before.uploads)],
    pending,
    made: before.videos.reduce((sum, { lines }) => sum + countRanges(lines), 0),
  };
}

function toKept(
  { videos, details = [] }: KnownVideos,
  { pending, isAwaited, room }: Terms & Pick<Facts, 'pending'>,
): KeptDetails {
  const kept = createKeptDetails(room, isAwaited);
  const open = details.filter(({ id }) => pending.has(id));
  kept.made(idsIn(videos), open);
  kept.ended(details.filter(({ id }) => !pending.has(id)));
  return kept;
}

/** One after the other, because only a few may be wanted of tens of thousands. */
function* idsIn(videos: KnownVideos['videos']): Generator<number> {
  for (const { ids } of videos) yield* fromRanges(ids);
}

/** The lines that are pending, by the id of their video. */
function pendingOf({ videos, pending }: KnownVideos): Map<number, number> {
  const open = new Set(fromRanges(pending));
  const lines = new Map<number, number>();
  for (const made of videos) {
    for (const [id, line] of pairs(made)) if (open.has(line)) lines.set(id, line);
  }
  return lines;
}

function* pairs({ lines, ids }: { lines: string; ids: string }): Generator<[number, number]> {
  const numbers = fromRanges(lines);
  for (const id of fromRanges(ids)) {
    const next = numbers.next();
    if (next.done !== true) yield [id, next.value];
  }
}

function toCounts({ failures, warnings, pending, made }: Facts, asked: number): ItemCounts {
  const byClass = failures.countByClass();
  const failed = failures.count();
  const withoutVideo = (byClass['refused'] ?? 0) + (byClass['not-made'] ?? 0);
  return {
    asked,
    succeeded: made - pending.size - (failed - withoutVideo),
    failed,
    pending: pending.size,
    untried: asked - made - withoutVideo,
    warned: warnings.count(),
    byClass,
  };
}

function toKnown(facts: Facts): KnownVideos {
  const { videos, failures, warnings, uploads, pending } = facts;
  const details = facts.details.list();
  return {
    videos: [...videos],
    failed: failures.groups(),
    warned: warnings.groups().map(({ text, lines }) => ({ text, lines })),
    uploads: toSortedRanges(uploads),
    pending: toSortedRanges(pending.values()),
    ...(details.length > 0 && { details }),
  };
}
