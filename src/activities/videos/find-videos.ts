import { cancellationSignal } from '@temporalio/activity';
import { z } from 'zod';

import type { Video } from '../../contract/api/video.js';
import { CLOCK_SKEW_MS } from '../../contract/clock-skew.js';
import { fromRanges, toRanges } from '../../contract/number-ranges.js';
import type { ApiClient } from '../http/api-client.js';
import type { ManifestReader } from '../manifest/create-manifest-reader.js';
import type { SecretSource } from '../secrets/secret-source.js';
import { earlierProgress, keepProgress } from '../progress.js';
import { listVideos } from './list-videos.js';
import type { MarkedItem } from './mark-items.js';
import { matchVideos } from './match-videos.js';
import { readBatch, toMade, type MadeVideos, type VideoBatch } from './video-batch.js';

export interface FindVideosInput extends VideoBatch {
  /** For markers of the caller: only videos created since then, in milliseconds since the epoch. */
  since: number;
  /** Ids that already belong to other lines. */
  known: string[];
}

export interface FoundVideos extends MadeVideos {
  /** Lines without a video. */
  missing: string;
  isAmbiguous: boolean;
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
  isAmbiguous: z.boolean(),
  unproven: z.int().min(0).default(0),
});

/** Reads the videos of each marker. A batch has one marker of ours, or as many as the caller gave. */
export async function findVideos(
  { api, manifests }: Pick<VideoDeps, 'api' | 'manifests'>,
  { since, known, ...batch }: FindVideosInput,
): Promise<FoundVideos> {
  const items = await readBatch(manifests, batch, cancellationSignal());
  const taken = new Set(known.flatMap((ids) => [...fromRanges(ids)]));
  const groups = [...byMarker(items)];
  const state = resume(groups.length);
  for (const [marker, group] of groups.slice(state.done)) {
    const isOurs = group.every((item) => item.isOurs);
    const query = { client_user_id: marker };
    const rows = await listVideos(api, query, (seen) => isOurs && seen >= group.length);
    const isCandidate = (row: Video): boolean => isOurs || isSince(row, since - CLOCK_SKEW_MS);
    const candidates = rows.filter((row) => !taken.has(row.id) && isCandidate(row));
    const { found, isAmbiguous, unproven } = matchVideos(group, candidates);
    state.unproven += isOurs ? unproven : found.length;
    for (const { item, id } of found) state.ids.set(item.line, id);
    state.isAmbiguous ||= isAmbiguous;
    state.done += 1;
  }
  const found = items.flatMap((item) => {
    const id = state.ids.get(item.line);
    return id === undefined ? [] : [{ item, id }];
  });
  const missing = items.filter(({ line }) => !state.ids.has(line)).map(({ line }) => line);
  const { isAmbiguous, unproven } = state;
  const result = { ...toMade(found), missing: toRanges(missing), isAmbiguous };
  return unproven === 0 ? result : { ...result, unproven };
}

interface Search {
  done: number;
  /** Ids of the videos by line. */
  ids: Map<number, number>;
  isAmbiguous: boolean;
  unproven: number;
}

/** Begins where the attempt before has stopped. */
function resume(markers: number): Search {
  const earlier = earlierProgress(progressSchema);
  const isSame = earlier?.markers === markers;
  const ids = isSame ? [...fromRanges(earlier.ids)] : [];
  const lines = isSame ? [...fromRanges(earlier.lines)] : [];
  const state: Search = {
    done: isSame ? earlier.done : 0,
    ids: new Map(lines.flatMap((line, at) => ids.slice(at, at + 1).map((id) => [line, id]))),
    isAmbiguous: isSame && earlier.isAmbiguous,
    unproven: isSame ? earlier.unproven : 0,
  };
  keepProgress(() => ({
    markers,
    done: state.done,
    lines: toRanges(state.ids.keys()),
    ids: toRanges(state.ids.values()),
    isAmbiguous: state.isAmbiguous,
    unproven: state.unproven,
  }));
  return state;
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
