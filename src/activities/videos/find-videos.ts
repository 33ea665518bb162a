import { cancellationSignal } from '@temporalio/activity';
import { z } from 'zod';

import type { Video } from '../../contract/api/streaming.js';
import { ALL_OF_OTHERS } from '../../contract/wire/names.js';
import { fromRanges, toRanges } from '../../engine/core/number-ranges.js';
import type { ApiClient } from '../../engine/http/api-client.js';
import { timesOfApi } from '../../engine/http/times-of-api.js';
import type { ManifestReader } from '../manifest/create-manifest-reader.js';
import type { SecretSource } from '../secrets/secret-source.js';
import { earlierProgress, keepProgress } from '../../engine/activities/attempt.js';
import { listVideos } from './polled-videos.js';
import type { MarkedItem } from './mark-items.js';
import { matchVideos, mayConcern } from './match-videos.js';
import { readBatch, toMade, type MadeVideos, type VideoBatch } from './video-batch.js';

export interface FindVideosInput extends VideoBatch {
  /** For markers of the caller: only videos created since then, in milliseconds since the epoch. */
  since: number;
  /**
   * For markers of the caller, instead of the time: the ids that existed before the first call. `all`: no call was
   * sent yet, so what exists is of others.
   */
  before?: string | undefined;
  /** Ids that already belong to other lines. */
  known: string[];
  /** Lines of the batch that come later: videos of theirs may exist, after a reset. */
  beside?: string | undefined;
}

export interface FoundVideos extends MadeVideos {
  /** Lines without a video. */
  missing: string;
  /** Ids of videos that may be those of missing lines, or of nothing in the list; see `Matched`. */
  unclear: string;
  /** With `before: 'all'`: the ids under markers of the caller that look like videos of the list. */
  others: string;
  /**
   * Number of videos that may be of another list: with a marker of ours and another origin, or with a
   * marker of the caller. Missing when there are none.
   */
  unproven?: number;
}

export interface VideoDeps {
  api: ApiClient;
  manifests: ManifestReader;
  secrets: SecretSource;
}

const rangesSchema = z.string().regex(/^[\d -]*$/);

/** Markers are read in one order, and a video belongs to one marker: what is found of the first ones stays. */
const progressSchema = z.object({
  markers: z.number(),
  /** The first ones, of which all videos are read. */
  done: z.int().min(0),
  /** Numbers and ranges in the same order, each line with the id of its video. */
  lines: rangesSchema,
  ids: rangesSchema,
  unclear: rangesSchema,
  others: rangesSchema,
  unproven: z.int().min(0).default(0),
});

/** Reads the videos of each marker. A batch has one marker of ours, or as many as the caller gave. */
export async function findVideos(
  { api, manifests }: Pick<VideoDeps, 'api' | 'manifests'>,
  { only, beside = '', ...wanted }: FindVideosInput,
): Promise<FoundVideos> {
  const whole = byMarker(await readBatch(manifests, wanted, cancellationSignal()));
  const isAsked = isIn(only);
  const mayHaveVideo = isIn(only && `${only} ${beside}`);
  const groups = [...whole].flatMap(([marker, all]) => {
    const items = all.filter(mayHaveVideo);
    return items.some(isAsked) ? [{ marker, items, most: all.length }] : [];
  });
  const search = resume(groups.length);
  const taken = new Set(wanted.known.flatMap((ids) => [...fromRanges(ids)]));
  for (const group of groups.slice(search.done)) {
    await searchGroup(api, search, { ...wanted, ...group, taken });
    search.done += 1;
  }
  return toFound(
    groups.flatMap(({ items }) => items.filter(isAsked)),
    search,
  );
}

/** @param lines all when left out */
function isIn(lines: string | undefined): (item: MarkedItem) => boolean {
  const numbers = lines === undefined ? undefined : new Set(fromRanges(lines));
  return ({ line }) => numbers?.has(line) ?? true;
}

interface Group extends Pick<FindVideosInput, 'since' | 'before'> {
  marker: number;
  items: readonly MarkedItem[];
  /** As many videos may have a marker of ours. */
  most: number;
  taken: ReadonlySet<number>;
}

async function searchGroup(api: ApiClient, search: Search, group: Group): Promise<void> {
  const { marker, items, most, taken } = group;
  const isOurs = items.every((item) => item.isOurs);
  const query = { client_user_id: marker };
  // An API that does not know the filter shows videos of others first.
  const mayBeOurs = ({ client_user_id: shown }: Video): boolean => (shown ?? marker) === marker;
  const rows = await listVideos(
    api,
    query,
    (seen) => isOurs && [...seen.values()].filter(mayBeOurs).length >= most,
  );
  const free = rows.filter(({ id }) => !taken.has(id));
  // The API was asked for this marker, so a video that shows none may have it.
  const unmarked = free.filter((row) => (row.client_user_id ?? undefined) === undefined);
  search.unclear.push(...unmarked.map(({ id }) => id));
  const candidates = isOurs ? free : candidatesOf(api, search, { ...group, rows: free });
  const { found, unclear, unproven } = matchVideos(items, candidates);
  search.unproven += isOurs ? unproven : found.length;
  search.unclear.push(...unclear);
  for (const { item, id } of found) search.ids.set(item.line, id);
}

/** Among videos under a marker of the caller: those that this request may have made. */
function candidatesOf(
  api: ApiClient,
  search: Search,
  { items, since, before, rows }: Group & { rows: readonly Video[] },
): Video[] {
  const similar = rows.filter(mayConcern(items));
  if (before === ALL_OF_OTHERS) {
    search.others.push(...similar.map(({ id }) => id));
    return [];
  }
  if (before === undefined) {
    const { from } = timesOfApi(api, { from: since, to: since });
    return similar.filter((row) => isSince(row, from));
  }
  const others = new Set(fromRanges(before));
  return similar.filter(({ id }) => !others.has(id));
}

function toFound(
  items: readonly MarkedItem[],
  { ids, unclear, others, unproven }: Search,
): FoundVideos {
  const sorted = [...items].sort((a, b) => a.line - b.line);
  const found = sorted.flatMap((item) => {
    const id = ids.get(item.line);
    return id === undefined ? [] : [{ item, id }];
  });
  const missing = sorted.filter(({ line }) => !ids.has(line)).map(({ line }) => line);
  return {
    ...toMade(found),
    missing: toRanges(missing),
    unclear: toRanges(unclear),
    others: toRanges(others),
    ...(unproven > 0 && { unproven }),
  };
}

interface Search {
  done: number;
  /** Ids of the videos by line. */
  ids: Map<number, number>;
  unclear: number[];
  others: number[];
  unproven: number;
}

/** Begins where the attempt before has stopped. */
function resume(markers: number): Search {
  const earlier = earlierProgress(progressSchema);
  const isSame = earlier?.markers === markers;
  const numbersOf = (ranges: string): number[] => [...fromRanges(ranges)];
  const ids = isSame ? numbersOf(earlier.ids) : [];
  const lines = isSame ? numbersOf(earlier.lines) : [];
  const search: Search = {
    done: isSame ? earlier.done : 0,
    ids: new Map(lines.flatMap((line, at) => ids.slice(at, at + 1).map((id) => [line, id]))),
    unclear: isSame ? numbersOf(earlier.unclear) : [],
    others: isSame ? numbersOf(earlier.others) : [],
    unproven: isSame ? earlier.unproven : 0,
  };
  keepProgress(() => ({
    markers,
    done: search.done,
    lines: toRanges(search.ids.keys()),
    ids: toRanges(search.ids.values()),
    unclear: toRanges(search.unclear),
    others: toRanges(search.others),
    unproven: search.unproven,
  }));
  return search;
}

function byMarker(items: readonly MarkedItem[]): Map<number, MarkedItem[]> {
  const groups = new Map<number, MarkedItem[]>();
  for (const item of items) {
    const group = groups.get(item.marker);
    if (group === undefined) groups.set(item.marker, [item]);
    else group.push(item);
  }
  return groups;
}

function isSince({ created_at: created }: Video, since: number): boolean {
  // A video without a time may be ours. One too many shows as a contradiction; one too few is created twice.
  return typeof created !== 'string' || Date.parse(created) >= since;
}
