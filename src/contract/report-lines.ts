import { fromRanges } from '../engine/core/number-ranges.js';
import type { ImportReport } from './operations/types.js';

/** The outcome of one line of the input. */
export interface ItemResult {
  /** Line of the manifest, or position in `videos`; counted from 1. */
  line: number;
  /** Id of the video; missing when none was created. */
  id?: number;
  outcome: 'created' | 'viewable' | 'ready' | 'failed' | 'pending' | 'untried';
  /** Class of the failure. */
  class?: string;
  /** Text of the API: about the failure, or a warning about a success. */
  text?: string;
}

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
