import { cancellationSignal } from '@temporalio/activity';
import { ApplicationFailure } from '@temporalio/common';

import { paths } from '../contract/wire/paths.js';
import {
  videoListSchema,
  sentVideoItemSchema,
  type SentVideoItem,
  type VideoItem,
} from '../contract/api/streaming.js';
import { FailureType, type FailureDetails } from '../engine/core/failures.js';
import { fromRanges } from '../engine/core/number-ranges.js';
import { hasSecretRef } from '../contract/wire/secret-ref.js';
import type { ActivityGroups } from '../engine/activities/activity-groups.js';
import { beforeSending } from '../engine/activities/before-sending.js';
import { ADVICE } from './advice.js';
import { withPatientReads } from '../engine/http/patient-reads.js';
import { fillSecrets } from './secrets/fill-secrets.js';
import {
  findVideos,
  type FindVideosInput,
  type FoundVideos,
  type VideoDeps,
} from './videos/find-videos.js';
import type { AwaitedState } from './videos/judge-video.js';
import { toPolled, type PolledVideos, type ShownVideos } from './videos/polled-videos.js';
import {
  readForVerdicts,
  readVideosById,
  type ReadVideos,
  type ReadVideosInput,
} from './videos/read-videos.js';
import { matchAnswered } from './videos/match-videos.js';
import { readBatch, toMade, type MadeVideos, type VideoBatch } from './videos/video-batch.js';
import { videoSecrets } from './videos/video-secrets.js';
import { toDetails } from './videos/video-details.js';
import type { VideoField } from '../contract/wire/videos.js';
import { withHeartbeat } from '../engine/activities/attempt.js';

export interface CreateVideosInput extends VideoBatch {
  /** Accept an answer with fewer videos than were sent: looking for the others has not helped. */
  isFinal?: boolean;
  /** The run that looked before this call; see `refuseInResetRuns`. */
  maker: string;
  /** Of the first videos of the answer, in the order of the lines. */
  show?: { most: number; fields: readonly VideoField[] };
}

export interface PollVideosInput {
  ids: string;
  awaited: AwaitedState;
  show?: ShownVideos;
  /** True: the items stand in the input without secrets, so a text may repeat no credentials of them. */
  isInline?: boolean;
}

/** The API closes the connection of a batch after 30 s, twice the timeout of other calls. */
const BATCH_TIMEOUT_FACTOR = 2;

export function createVideoActivities(deps: VideoDeps) {
  return {
    reads: {
      /** The videos of a batch that exist, by their markers. `GET /streaming/videos?client_user_id=` */
      findVideoBatch: (input: FindVideosInput): Promise<FoundVideos> =>
        withPatientReads(deps.api, (reads) => findVideos({ ...deps, api: reads }, input)),

      /** The outcomes of these videos, of 500 with each call; those that have failed are read twice. `GET /streaming/videos?id=1,2,…` */
      pollVideos: ({
        ids,
        awaited,
        isInline = false,
        show,
      }: PollVideosInput): Promise<PolledVideos> =>
        withPatientReads(deps.api, async (reads) => {
          const wanted = [...fromRanges(ids)];
          const byId = await readForVerdicts(reads, wanted, awaited);
          return toPolled(wanted, byId, { awaited, isInline, show });
        }),

      /** What the API says of these videos, and which of them it does not list. `GET /streaming/videos?id=1,2,…` */
      readVideos: (input: ReadVideosInput): Promise<ReadVideos> =>
        withPatientReads(deps.api, (reads) => readVideosById(reads, input)),
    },
    mutations: {
      /** `POST /streaming/videos/batch`. One attempt: see engine/send/send-once. Heartbeats. */
      createVideoBatch: (input: CreateVideosInput): Promise<MadeVideos> =>
        withHeartbeat(() => createBatch(deps, input)),
    },
  } satisfies ActivityGroups;
}

async function createBatch(
  { api, manifests, secrets }: VideoDeps,
  { isFinal = false, show, ...batch }: CreateVideosInput,
): Promise<MadeVideos> {
  const { items, sent, values } = await beforeSending(() => fill({ manifests, secrets }, batch));
  const videos = await api.request({
    method: 'POST',
    path: paths.videoBatch(),
    body: { videos: sent },
    response: videoListSchema,
    isLarge: true,
    repeatable: false,
    secrets: () => ({
      values: [...values, ...sent.flatMap(videoSecrets)],
      // A text may repeat a secret of another part of the batch, which this call does not know.
      withholdsTexts: batch.items.kind === 'manifest' || hasSecretRef(batch.items.items),
    }),
    timeoutFactor: BATCH_TIMEOUT_FACTOR,
  });
  const { found } = matchAnswered(items, videos);
  if (found.length < items.length && !isFinal) throw shortAnswerFailure(found.length, items.length);
  const byId = new Map(videos.map((video) => [video.id, video]));
  const first = found.slice(0, show?.most ?? 0).flatMap(({ id }) => byId.get(id) ?? []);
  return { ...toMade(found), ...toDetails(first, show?.fields ?? []) };
}

const VIDEO_AS_SENT = {
  schema: sentVideoItemSchema,
  isSent: (item: VideoItem): item is SentVideoItem => !hasSecretRef(item),
};

/** The items as they are named in a list, and as they are sent. */
async function fill({ manifests, secrets }: Omit<VideoDeps, 'api'>, batch: VideoBatch) {
  const items = await readBatch(manifests, batch, cancellationSignal());
  const given = items.map(({ line, marker, value }) => ({
    at: batch.items.kind === 'inline' ? `videos[${line - 1}].` : `line ${line}, `,
    value: { ...value, client_user_id: marker },
  }));
  const filled = await fillSecrets(secrets, given, VIDEO_AS_SENT);
  return { items, sent: filled.sent, values: filled.secrets };
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
