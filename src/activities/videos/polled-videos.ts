import type { ApplicationFailure } from '@temporalio/common';

import {
  classifyVideoError,
  judgeVideo,
  type AwaitedState,
  shownVideoError,
} from './judge-video.js';
import { createTextGroups, type VideoText } from './video-batch.js';
import { toDetails } from './video-details.js';
import { videoListSchema, type Video } from '../../contract/api/streaming.js';
import { FailureType } from '../../engine/core/failures.js';
import { plural } from '../../engine/core/text.js';
import { toApplicationFailure } from '../../engine/http/describe-failure.js';
import { paths } from '../../contract/wire/paths.js';
import type { VideoDetails } from '../../contract/video-details.js';
import type { VideoField } from '../../contract/wire/videos.js';
import { fromRanges, toRanges } from '../../engine/core/number-ranges.js';
import type { ApiClient } from '../../engine/http/api-client.js';

const PAGE = 500;

/**
 * Reads pages until `isEnough`, or to the end. Somebody may remove a video while several pages are read, which moves the next
 * one to the page before: then all are read again, until that shows nothing new.
 */
export async function listVideos(
  api: ApiClient,
  query: Record<string, string | number>,
  isEnough: (seen: ReadonlyMap<number, Video>) => boolean,
): Promise<Video[]> {
  const seen = new Map<number, Video>();
  for (let known = -1; seen.size > known;) {
    known = seen.size;
    const { isSplit } = await readPages(api, query, { seen, isEnough });
    if (!isSplit || isEnough(seen)) break;
  }
  return [...seen.values()];
}

interface Reading {
  seen: Map<number, Video>;
  isEnough: (seen: ReadonlyMap<number, Video>) => boolean;
}

/**
 * Reads pages until `isEnough`, or until a page is shorter than the one before or has nothing that the ones before lack: page
 * sizes are undocumented. `isSplit`: the videos are on several pages.
 */
async function readPages(
  api: ApiClient,
  query: Record<string, string | number>,
  { seen, isEnough }: Reading,
): Promise<{ isSplit: boolean }> {
  const read = new Set<number>();
  let full = 0;
  for (let page = 1; ; page++) {
    const rows = await api.request({
      method: 'GET',
      path: paths.videos(),
      query: { ...query, per_page: PAGE, page },
      response: videoListSchema,
      isLarge: true,
      repeatable: true,
    });
    const before = read.size;
    for (const row of rows) {
      seen.set(row.id, row);
      read.add(row.id);
    }
    const isEnd = read.size === before || rows.length < full;
    if (isEnd || isEnough(seen)) return { isSplit: read.size > full && page > 1 };
    full = rows.length;
  }
}

/** The ids of one call by outcome; ids that are done are in no list. */
export interface PolledVideos {
  pending: string;
  /** Ids that the API does not list. */
  missing: string;
  failed: { class: string; text: string; ids: string }[];
  warned: { text: string; ids: string }[];
  /** Of those that are done or have failed, as far as they were asked for. */
  details?: VideoDetails[];
}

/** What to show of which videos, when their outcome is known. */
export interface ShownVideos {
  ids: string;
  fields: readonly VideoField[];
}

interface Asked {
  awaited: AwaitedState;
  isInline: boolean;
  show?: ShownVideos | undefined;
}

/**
 * Fails as `UnexpectedResponse` when nothing of what the API lists tells where a video is: the run would wait for what the API
 * does not say. One that does tell is enough to go on.
 */
export function toPolled(
  wanted: readonly number[],
  byId: ReadonlyMap<number, Video>,
  { awaited, isInline, show = { ids: '', fields: [] } }: Asked,
): PolledVideos {
  refuseUnreadable(wanted, byId, awaited);
  const pending: number[] = [];
  const missing: number[] = [];
  const failed = createTextGroups();
  const warned = createTextGroups();
  const isShown = new Set(fromRanges(show.ids));
  const shown: Video[] = [];
  // The class comes from the whole text, of which only a part may be shown.
  const toShown = (said: string): VideoText => ({
    class: classifyVideoError(said),
    text: shownVideoError(said, { isInline }),
  });
  for (const id of wanted) {
    const video = byId.get(id);
    const verdict = video && judgeVideo(video, awaited);
    if (video && verdict?.kind !== 'pending' && isShown.has(id)) shown.push(video);
    if (verdict === undefined) missing.push(id);
    else if (verdict.kind === 'pending') pending.push(id);
    else if (verdict.kind === 'failed') failed.add(toShown(verdict.text), id);
    else if (verdict.warning !== undefined) warned.add(toShown(verdict.warning), id);
  }
  return {
    pending: toRanges(pending),
    missing: toRanges(missing),
    failed: failed.groups(),
    warned: warned.groups().map(({ text, ids }) => ({ text, ids })),
    ...toDetails(shown, show.fields),
  };
}

const MOST_NAMED = 3;

/** Refuses an answer that says of none of these where it is. */
function refuseUnreadable(
  wanted: readonly number[],
  byId: ReadonlyMap<number, Video>,
  awaited: AwaitedState,
): void {
  const lacking: Lacking[] = [];
  for (const id of wanted) {
    const video = byId.get(id);
    if (video === undefined) continue;
    const verdict = judgeVideo(video, awaited);
    // The first one that tells it is enough, so the others are not judged twice.
    if (verdict.kind !== 'pending' || verdict.lacks === undefined) return;
    lacking.push({ id, lacks: verdict.lacks });
  }
  if (lacking.length > 0) throw lackingFailure(lacking);
}

interface Lacking {
  id: number;
  /** Path of the field in the list. */
  lacks: string;
}

function lackingFailure(lacking: readonly Lacking[]): ApplicationFailure {
  const method = 'GET';
  const path = paths.videos();
  const fields = [...new Set(lacking.map(({ lacks }) => lacks))].join(' and ');
  const named = lacking.slice(0, MOST_NAMED).map(({ id }) => id);
  const others = lacking.length - named.length;
  const rest = others > 0 ? ` and ${plural(others, 'other')}` : '';
  return toApplicationFailure({
    type: FailureType.unexpectedResponse,
    message: `${method} ${path} was answered without ${fields} of ${named.join(', ')}${rest}`,
    details: { method, path },
  });
}
