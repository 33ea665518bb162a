import type { ApplicationFailure } from '@temporalio/common';

import { oneVideoSchema, type OneVideo } from '../contract/api/videos.js';
import { MAX_NAME_BYTES } from '../contract/api/errors.js';
import { paths } from '../contract/wire/paths.js';
import { squeezed } from '../contract/wire/stored-form.js';
import type { ActivityGroups } from '../engine/activities/activity-groups.js';
import { beforeSending } from '../engine/activities/before-sending.js';
import { notSentFailure } from '../engine/activities/registered-activities.js';
import { cutText } from '../engine/core/text.js';
import type { ApiClient } from '../engine/http/api-client.js';
import { withPatientReads } from '../engine/http/patient-reads.js';
import { changeAtOnce, getOne, makeAtOnce, removeAtOnce } from './cloud-calls.js';
import { listVideos } from './videos/polled-videos.js';
import { digestOf, readSimilarSubtitles, type WantedSubtitles } from './subtitles.js';

export interface OneVideoInput {
  videoId: number;
}

/** A video in the result of a run. It has no URL: that of its source may have credentials. */
export interface VideoView {
  id: number;
  name: string | null;
  slug: string | null;
  status: string | null;
  createdAt: string | null;
}

/** The fields that a run changes: those that are asked for. */
export interface VideoChange {
  name?: string | undefined;
  description?: string | undefined;
  directoryId?: number | undefined;
  screenshotId?: number | undefined;
}
export type ChangedField = keyof VideoChange;

/** How a video compares with what is asked for. */
export interface ComparedVideo {
  id: number;
  /** Of its whole name: a change says which name it has seen. */
  nameDigest: string;
  /** The asked fields as they are, cut. */
  shown: { [F in ChangedField]?: NonNullable<VideoChange[F]> | null };
  /** The asked fields that are not as asked. */
  differs: ChangedField[];
  /** Those of them that the store has not merely written in another form: white space, accents. */
  remains: ChangedField[];
  /** The answer does not show a description, and none is asked for: it may be there all the same. */
  isUntold?: true;
}

export interface UpdateVideoCall extends OneVideoInput {
  change: VideoChange;
  /** `nameDigest` of the look that the call rests on. */
  seenName: string;
}

export interface AddSubtitlesCall extends OneVideoInput {
  name: string;
  language: string;
  vtt: string;
}

export function createVideoChangeActivities({ api }: { api: ApiClient }) {
  const read = ({ videoId }: OneVideoInput): Promise<OneVideo> =>
    getOne(api, paths.video(videoId), oneVideoSchema);
  return {
    reads: {
      /** `GET /streaming/videos/{video_id}`. Fails as `NotFound` when it is gone. */
      getVideo: async (input: OneVideoInput): Promise<VideoView> => toView(await read(input)),
      /** Whether the list has it. `GET /streaming/videos?id=` */
      isVideoListed: ({ videoId: id }: OneVideoInput): Promise<boolean> =>
        withPatientReads(api, async (reads) => {
          const rows = await listVideos(reads, { id }, (seen) => seen.has(id));
          return rows.some((row) => row.id === id);
        }),
      /** The same, compared in here: a description may be longer than what a history should have. */
      compareVideo: async ({ change, ...input }: OneVideoInput & { change: VideoChange }) =>
        compare(await read(input), change),
      /** Subtitles that may be the wanted ones. `GET /streaming/videos/{video_id}/subtitles` */
      findSubtitles: (input: WantedSubtitles) =>
        withPatientReads(api, (reads) => readSimilarSubtitles(reads, input)),
    },
    mutations: {
      /**
       * Changes fields; the others stay. `PATCH /streaming/videos/{video_id}`. The API wants the name in each call: not
       * sent when the video has another one than the run has seen, because that name would be undone. One attempt.
       */
      async updateVideo({ change, seenName, ...input }: UpdateVideoCall) {
        const { name } = await beforeSending(() => read(input));
        if (digestOf(name ?? '') !== seenName) throw renamedFailure(input);
        const body = toBody(change, name ?? undefined);
        await changeAtOnce(api, { method: 'PATCH', path: paths.video(input.videoId), body });
        return {};
      },
      /** `POST /streaming/videos/{video_id}/subtitles`. One attempt: see engine/send/change-once. */
      addSubtitles({ videoId, name, language, vtt }: AddSubtitlesCall) {
        const path = paths.videoSubtitles(videoId);
        return makeAtOnce(api, { path, body: { name, language, vtt }, isLarge: true });
      },
    },
    deletes: {
      /** `DELETE /streaming/videos/{video_id}`. The API restores no video. */
      deleteVideo: ({ videoId }: OneVideoInput) => removeAtOnce(api, paths.video(videoId)),
    },
  } satisfies ActivityGroups;
}

function toView({ id, name, slug, status, created_at: createdAt }: OneVideo): VideoView {
  return {
    id,
    name: cut(name, MAX_NAME_BYTES),
    slug: cut(slug, MAX_NAME_BYTES),
    status: status ?? null,
    createdAt: createdAt ?? null,
  };
}

const MAX_SHOWN_NAME = 2_000;
const MAX_SHOWN_DESCRIPTION = 10_000;

function compare(video: OneVideo, change: VideoChange): ComparedVideo {
  const { name, description } = video;
  const values = {
    name,
    description,
    directoryId: video.directory_id,
    screenshotId: video.screenshot_id,
  };
  const shown = {
    name: cut(name, MAX_SHOWN_NAME),
    description: cut(description, MAX_SHOWN_DESCRIPTION),
    directoryId: video.directory_id ?? null,
    screenshotId: video.screenshot_id ?? null,
  };
  const asked = CHANGED_FIELDS.filter((field) => change[field] !== undefined);
  // No description is an empty one.
  const differs = asked.filter((field) => (values[field] ?? '') !== change[field]);
  return {
    id: video.id,
    nameDigest: digestOf(name ?? ''),
    shown: Object.fromEntries(asked.map((field) => [field, shown[field]])),
    differs,
    remains: differs.filter((field) => formOf(values[field]) !== formOf(change[field])),
    ...(change.description === '' &&
      typeof description !== 'string' && { isUntold: true as const }),
  };
}

const CHANGED_FIELDS = ['name', 'description', 'directoryId', 'screenshotId'] as const;

function formOf(value: string | number | null | undefined): string {
  return squeezed(String(value ?? ''));
}

/** @param current the name that the video has */
function toBody(change: VideoChange, current: string | undefined) {
  const { name = current, description, directoryId, screenshotId } = change;
  return { name, description, directory_id: directoryId, screenshot_id: screenshotId };
}

function cut(text: string | null | undefined, maxBytes: number): string | null {
  return text === null || text === undefined ? null : cutText(text, maxBytes);
}

function renamedFailure({ videoId }: OneVideoInput): ApplicationFailure {
  return notSentFailure(`somebody has renamed video ${videoId} since the run has read it`, {
    advice: 'Nothing to do: the run reads it again.',
  });
}
