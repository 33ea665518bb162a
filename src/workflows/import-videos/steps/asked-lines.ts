import type { ManifestRange } from '../../../activities/manifest/scan-manifest.js';
import { fromRanges, toRanges } from '../../../engine/core/number-ranges.js';
import type { KnownVideos } from './import-progress.js';
import { rangeLines, type ImportBatch } from './import-batch.js';

/**
 * The lines that an import is asked for. A history hands over their places, counted from 1, and not their numbers:
 * however scattered the lines are, most sets of places are a few ranges. The numbers stand in the input, once.
 */
export interface AskedLines {
  toPlaces: (lines: string) => string;
  toLines: (places: string) => string;
}

/** Where a batch of a manifest lies: what the lines do not tell. */
export type BatchCut = Omit<ManifestRange, 'line' | 'only'>;

/** @param lines of the input; all when left out */
export function askedLines(lines: string | undefined): AskedLines {
  if (lines === undefined) return { toPlaces: (same) => same, toLines: (same) => same };
  const numbers = [...fromRanges(lines)];
  const places = new Map(numbers.map((line, at) => [line, at + 1]));
  return {
    toPlaces: (some) => toRanges([...fromRanges(some)].map((line) => places.get(line) ?? 0)),
    toLines: (some) => toRanges([...fromRanges(some)].map((place) => numbers[place - 1] ?? 0)),
  };
}

/** Translates every set of lines. */
export function withLines(known: KnownVideos, toOther: (lines: string) => string): KnownVideos {
  const translated = <T extends { lines: string }>(all: readonly T[]): T[] =>
    all.map((one) => ({ ...one, lines: toOther(one.lines) }));
  const { videos, failed, warned, uploads, pending, ...others } = known;
  return {
    ...others,
    videos: translated(videos),
    failed: translated(failed),
    warned: translated(warned),
    uploads: toOther(uploads),
    pending: toOther(pending),
  };
}

export function toCuts(batches: readonly ImportBatch[]): BatchCut[] {
  return batches.flatMap(({ range }) => {
    if (range === undefined) return [];
    const { count, offset, bytes, digest } = range;
    return [{ count, offset, bytes, digest }];
  });
}

/**
 * The batches of a manifest: each has the next ones of the asked lines, written as its scan writes them. The marker of a
 * batch is made of its lines: written otherwise they would be another batch to each later run of the request.
 */
export function fromCuts(cuts: readonly BatchCut[], { toLines }: AskedLines): ImportBatch[] {
  let before = 0;
  return cuts.map((cut) => {
    const lines = toLines(rangeLines({ line: before + 1, count: cut.count }));
    before += cut.count;
    const [line = 0] = fromRanges(lines);
    const isWhole = /^\d+(-\d+)?$/.test(lines);
    return { lines, range: { line, ...cut, ...(!isWhole && { only: lines }) } };
  });
}
