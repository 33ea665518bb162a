import { fromRanges } from './number-ranges.js';
import type { ImportReport } from './operations/import-videos.js';

/** One line of the results: what became of one line of the input. */
export interface ItemResult {
  /** Of the manifest, or the place in `videos`; from 1. */
  line: number;
  /** Of the video; missing where none was made. */
  id?: number;
  outcome: 'created' | 'viewable' | 'ready' | 'failed' | 'pending' | 'untried';
  /** Of a failure. */
  class?: string;
  /** What the API said of a failure, or of a success that has a flaw. */
  text?: string;
}

/** One result a line of the input, in order: the long form of a report. */
export function* reportLines(report: ImportReport): Generator<ItemResult> {
  const ids = new Map<number, number>();
  for (const { lines, ids: made } of report.videos) {
    const videos = fromRanges(made);
    for (const line of fromRanges(lines)) {
      const next = videos.next();
      if (next.done !== true) ids.set(line, next.value);
    }
  }
  const failed = byLine(report.failed);
  const warned = byLine(report.warned);
  const uploads = new Set(fromRanges(report.uploads));
  const pending = new Set(fromRanges(report.pending));
  for (const line of fromRanges(report.lines)) {
    const id = ids.get(line);
    const base = { line, ...(id === undefined ? {} : { id }) };
    const failure = failed.get(line);
    const text = warned.get(line)?.text;
    if (failure !== undefined) {
      yield { ...base, outcome: 'failed', class: failure.class, text: failure.text };
    } else if (id === undefined) yield { ...base, outcome: 'untried' };
    else if (pending.has(line)) yield { ...base, outcome: 'pending' };
    else if (uploads.has(line)) yield { ...base, outcome: 'created' };
    else yield { ...base, outcome: report.outcome, ...(text === undefined ? {} : { text }) };
  }
}

function byLine<T extends { lines: string }>(groups: readonly T[]): Map<number, T> {
  return new Map(
    groups.flatMap((group) => [...fromRanges(group.lines)].map((line) => [line, group] as const)),
  );
}
