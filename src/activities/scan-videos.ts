import { cancellationSignal } from '@temporalio/activity';
import { createHash } from 'node:crypto';

import {
  hasCredentials,
  hasOrigin,
  videoItemSchema,
  type VideoItem,
} from '../contract/api/streaming.js';
import type { Manifest } from '../contract/manifest.js';
import { MAX_IMPORT_LINES } from '../contract/operations/import-videos.js';
import type { SecretPlace } from '../contract/wire/secret-ref.js';
import { fromRanges } from '../engine/core/number-ranges.js';
import type { ManifestReader } from './manifest/create-manifest-reader.js';
import type { ManifestRange } from './manifest/scan-manifest.js';
import { createSecretNames } from './secrets/secret-source.js';
import { withHeartbeat } from '../engine/activities/attempt.js';

export interface ScanVideosInput {
  manifest: Manifest;
  /** Only these lines. */
  lines?: string;
  canary?: number;
}

export interface ScannedVideos {
  ranges: ManifestRange[];
  /** Equal for the same list, cut in the same way. */
  digest: string;
  /** Set when a line has a marker of the caller, which videos of others may have too. */
  hasOwnIds?: true;
}

/**
 * The API accepts 500 videos and 64 MB, and closes the connection after 30 s. In this time 24 MB
 * arrive over a line of 8 Mbit/s.
 */
export const BATCH_LIMITS = { maxItems: 500, maxBytes: 24 * 1024 ** 2 } as const;

/** Facts about the lines of a manifest that matter before they are sent. They contain no secret. */
export interface SurveyedVideos extends ScannedVideos {
  facts: {
    /** Lines with a user name or a password in the URL of their origin. */
    originsWithCredentials: number;
    /** Lines with their own HTTP header for the origin. */
    originsWithHeaders: number;
    /** Lines without an origin: somebody has to upload a file. */
    uploads: number;
    /** The first secrets that lines name, each once; missing when there are none. */
    secrets?: SecretPlace[];
  };
}

/** These run on the queue of the workflows: they spend nothing of the request budget. */
export function createScanActivities({ manifests }: { manifests: ManifestReader }) {
  return {
    /** Reads a manifest of videos once, checks every line and cuts it into batches. Heartbeats. */
    scanVideos: (input: ScanVideosInput): Promise<ScannedVideos> => scan(manifests, input),

    /** The same for a plan; also collects facts about the lines. */
    async surveyVideos(input: ScanVideosInput): Promise<SurveyedVideos> {
      const facts = { originsWithCredentials: 0, originsWithHeaders: 0, uploads: 0 };
      const secrets = createSecretNames();
      const scanned = await scan(manifests, input, (video) => {
        if (!hasOrigin(video)) facts.uploads += 1;
        if (hasCredentials(video.origin_url)) facts.originsWithCredentials += 1;
        if (typeof video.origin_http_headers === 'string') facts.originsWithHeaders += 1;
        secrets.note(video);
      });
      return { ...scanned, facts: { ...facts, ...secrets.found() } };
    },
  };
}

async function scan(
  manifests: ManifestReader,
  { manifest, lines, canary }: ScanVideosInput,
  onVideo: (video: VideoItem) => void = () => undefined,
): Promise<ScannedVideos> {
  const seen = { ownIds: false };
  const { ranges, sha256 } = await withHeartbeat(() =>
    manifests.scan(manifest, {
      schema: videoItemSchema.transform((video) => {
        onVideo(video);
        seen.ownIds ||= video.client_user_id !== undefined;
        return video;
      }),
      signal: cancellationSignal(),
      limits: {
        ...BATCH_LIMITS,
        maxLines: MAX_IMPORT_LINES,
        cutAfter: canary,
        only: lines === undefined ? undefined : new Set(fromRanges(lines)),
      },
    }),
  );
  const digest = digestOf([sha256, lines, canary]);
  return { ranges, digest, ...(seen.ownIds && { hasOwnIds: true as const }) };
}

export type ScanActivities = ReturnType<typeof createScanActivities>;

export function digestOf(facts: unknown): string {
  return createHash('sha256').update(JSON.stringify(facts)).digest('hex');
}
