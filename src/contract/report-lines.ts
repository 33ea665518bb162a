import { fromRanges } from '../engine/core/number-ranges.js';
import type { ImportReport } from './operations/types.js';
import type { VideoDetails } from './video-details.js';
import type { ImportedState } from './wire/videos.js';

/** The outcome of one line of the input. */
export interface ItemResult {
  /** Line of the manifest, or position in `videos`; counted from 1. */
  line: number;
  /** Id of the video; missing when none was created. */
  id?: number;
  outcome: ImportedState | 'failed' | 'pending' | 'untried' | 'unknown';
  /** Class of the failure. */
  class?: string;
  /** Text of the API: about the failure, or a warning about a success. */
  text?: string;
  /** What the API said of it; see `details` of the report. */
  video?: VideoDetails;
}

type Outcome = Pick<ItemResult, 'outcome' | 'class' | 'text'>;

/** The long form of a report: one result per line of the input, in order. */
export function* reportLines(report: ImportReport): Generator<ItemResult> {
  const ids = new Map<number, number>();
  for (const group of report.videos) {
    const videoIds = fromRanges(group.ids);
    for (const line of fromRanges(group.lines)) {
      const next = videoIds.next();
      if (next.done !== true) ids.set(line, next.value);
    }
  }
  const failed = byLine(report.failed);
  const warned = byLine(report.warned);
  const uploads = new Set(fromRanges(report.uploads));
  const pending = new Set(fromRanges(report.pending));
  const unknown = new Set(fromRanges(report.unknown ?? ''));
  const details = new Map((report.details ?? []).map((video) => [video.id, video]));
  const outcomeOf = (line: number, id: number | undefined): Outcome => {
    const failure = failed.get(line);
    if (failure !== undefined) {
      return { outcome: 'failed', class: failure.class, text: failure.text };
    }
    if (id === undefined) return { outcome: unknown.has(line) ? 'unknown' : 'untried' };
    if (pending.has(line)) return { outcome: 'pending' };
    if (uploads.has(line)) return { outcome: 'created' };
    const text = warned.get(line)?.text;
    return { outcome: report.outcome, ...(text !== undefined && { text }) };
  };
  for (const line of fromRanges(report.lines)) {
    const id = ids.get(line);
    const video = id === undefined ? undefined : details.get(id);
    yield {
      line,
      ...(id !== undefined && { id }),
      ...outcomeOf(line, id),
      ...(video && { video }),
    };
  }
}

function byLine<T extends { lines: string }>(groups: readonly T[]): Map<number, T> {
  return new Map(
    groups.flatMap((group) => [...fromRanges(group.lines)].map((line) => [line, group] as const)),
  );
}
