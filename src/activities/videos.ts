import { cancellationSignal } from '@temporalio/activity';
import { ApplicationFailure } from '@temporalio/common';

import { paths } from '../contract/api/paths.js';
import { videoListSchema, type Video } from '../contract/api/video.js';
import { CLOCK_SKEW_MS } from '../contract/clock-skew.js';
import { FailureType, type FailureDetails } from '../contract/failures.js';
import { fromRanges, toRanges } from '../contract/number-ranges.js';
import type { ActivityGroups } from './activity-groups.js';
import { ADVICE } from './http/advice.js';
import type { ApiClient } from './http/api-client.js';
import type { ManifestReader } from './manifest/create-manifest-reader.js';
import type { AwaitedState } from './videos/judge-video.js';
import { toPolled, type PolledVideos } from './videos/polled-videos.js';
import type { MarkedItem } from './videos/mark-items.js';
import { matchVideos, type Matched } from './videos/match-videos.js';
import { readBatch, toMade, type MadeVideos, type VideoBatch } from './videos/video-batch.js';
import { videoSecrets } from './videos/video-secrets.js';
import { withHeartbeat } from './with-heartbeat.js';

export interface CreateVideosInput extends VideoBatch {
  /** Accept an answer with fewer videos than were sent: looking for the others has not helped. */
  isFinal?: boolean;
}

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
}

export interface PollVideosInput {
  ids: string;
  awaited: AwaitedState;
  /** True: the items stand in the input, so they hold no credentials that a text may repeat. */
  isInline?: boolean;
}

/** The API closes the connection of a batch after 30 s, twice the timeout of other calls. */
const BATCH_TIMEOUT_FACTOR = 2;
const PAGE = 500;

interface VideoDeps {
  api: ApiClient;
  manifests: ManifestReader;
}

export function createVideoActivities(deps: VideoDeps) {
  return {
    reads: {
      /** The videos of a batch that exist, by their markers. `GET /streaming/videos?client_user_id=` */
      findVideoBatch: (input: FindVideosInput): Promise<FoundVideos> =>
        withHeartbeat(() => findBatch(deps, input)),

      /** The outcomes of these videos, with one call for all. `GET /streaming/videos?id=1,2,…` */
      async pollVideos({ ids, awaited, isInline = false }: PollVideosInput): Promise<PolledVideos> {
        const wanted = [...fromRanges(ids)];
        const query = { id: wanted.join(',') };
        const rows = await listVideos(deps.api, query, (seen) => seen >= wanted.length);
        const byId = new Map(rows.map((row) => [row.id, row]));
        return toPolled(wanted, byId, { awaited, isInline });
      },
    },
    mutations: {
      /** `POST /streaming/videos/batch`. One attempt: see engine/send/send-once. Heartbeats. */
      createVideoBatch: (input: CreateVideosInput): Promise<MadeVideos> =>
        withHeartbeat(() => createBatch(deps, input)),
    },
  } satisfies ActivityGroups;
}

async function createBatch(
  { api, manifests }: VideoDeps,
  { isFinal = false, ...batch }: CreateVideosInput,
): Promise<MadeVideos> {
  const items = await readBatch(manifests, batch, cancellationSignal());
  const videos = await api.request({
    method: 'POST',
    path: paths.videoBatch(),
    body: { videos: items.map(toBody) },
    response: videoListSchema,
    isLarge: true,
    repeatable: false,
    secrets: () => ({
      values: items.flatMap(({ value }) => videoSecrets(value)),
      withholdsTexts: batch.items.kind === 'manifest',
    }),
    timeoutFactor: BATCH_TIMEOUT_FACTOR,
  });
  const { found } = matchAnswer(items, videos);
  if (found.length < items.length && !isFinal) throw shortAnswerFailure(found.length, items.length);
  return toMade(found);
}

async function findBatch(
  { api, manifests }: VideoDeps,
  { since, known, ...batch }: FindVideosInput,
): Promise<FoundVideos> {
  const items = await readBatch(manifests, batch, cancellationSignal());
  const taken = new Set(known.flatMap((ids) => [...fromRanges(ids)]));
  const videos: Video[] = [];
  for (const [marker, group] of byMarker(items)) {
    const isOurs = group.every((item) => item.isOurs);
    const query = { client_user_id: marker };
    const rows = await listVideos(api, query, (seen) => isOurs && seen >= group.length);
    const isCandidate = (row: Video): boolean => isOurs || isSince(row, since - CLOCK_SKEW_MS);
    videos.push(...rows.filter((row) => !taken.has(row.id) && isCandidate(row)));
  }
  const { found, missing, isAmbiguous } = matchVideos(items, videos);
  return { ...toMade(found), missing: toRanges(missing.map(({ line }) => line)), isAmbiguous };
}

function toBody({ value, marker }: MarkedItem): unknown {
  return { ...value, client_user_id: marker };
}

/** The order of the answer is undocumented: it decides last, and only when all names agree with it. */
function matchAnswer(items: readonly MarkedItem[], videos: readonly Video[]): Matched {
  const matched = matchVideos(items, videos);
  if (matched.missing.length === 0 || videos.length !== items.length) return matched;
  const isInOrder = items.every(({ value }, at) => videos[at]?.name === value.name);
  if (!isInOrder) return matched;
  const found = items.flatMap((item, at) => {
    const id = videos[at]?.id;
    return id === undefined ? [] : [{ item, id }];
  });
  return { found, missing: [], isAmbiguous: false };
}

function shortAnswerFailure(found: number, sent: number): ApplicationFailure {
  const advice = ADVICE[FailureType.outcomeUnknown];
  return ApplicationFailure.create({
    type: FailureType.outcomeUnknown,
    nonRetryable: true,
    message: `POST ${paths.videoBatch()} was answered with ${found} of the ${sent} videos. ${advice}`,
    details: [{ method: 'POST', path: paths.videoBatch(), advice } satisfies FailureDetails],
  });
}

function byMarker(items: readonly MarkedItem[]): Map<number, MarkedItem[]> {
  const groups = new Map<number, MarkedItem[]>();
  for (const item of items) groups.set(item.marker, [...(groups.get(item.marker) ?? []), item]);
  return groups;
}

function isSince({ created_at: created }: Video, since: number): boolean {
  // A video without a time may be ours. One too many shows as a contradiction; one too few is created twice.
  return typeof created !== 'string' || Date.parse(created) >= since;
}

/**
 * Reads pages until `isEnough`, or until a page is shorter than the one before or has nothing new: page
 * sizes are undocumented.
 */
async function listVideos(
  api: ApiClient,
  query: Record<string, string | number>,
  isEnough: (seen: number) => boolean,
): Promise<Video[]> {
  const seen = new Map<number, Video>();
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
    const known = seen.size;
    for (const row of rows) seen.set(row.id, row);
    const isEnd = seen.size === known || rows.length < full;
    if (isEnd || isEnough(seen.size)) return [...seen.values()];
    full = rows.length;
  }
}
