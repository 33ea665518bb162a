import { cancellationSignal, heartbeat } from '@temporalio/activity';
import { createHash } from 'node:crypto';

import { videoItemSchema } from '../contract/api/video-item.js';
import type { Manifest } from '../contract/manifest.js';
import { fromRanges } from '../contract/number-ranges.js';
import type { ManifestReader } from './manifest/create-manifest-reader.js';
import type { ManifestRange } from './manifest/scan-manifest.js';

export interface ScanVideosInput {
  manifest: Manifest;
  /** Only these lines. */
  lines?: string;
  canary?: number;
}

export interface ScannedVideos {
  ranges: ManifestRange[];
  /** The same list, cut in the same way, has the same one. */
  digest: string;
}

/**
 * The API takes 500 videos and 64 MB, and closes the connection after 30 s: 24 MB arrive in that
 * time over a line of 8 Mbit/s.
 */
export const BATCH_LIMITS = { mostItems: 500, mostBytes: 24 * 1024 ** 2 } as const;
/** What became of so many lines fits into one payload of Temporal, whatever their ids and failures. */
const MOST_LINES = 100_000;
const HEARTBEAT_MS = 5_000;

/** On the queue of the workflows: no request of the API's budget is spent. */
export function createScanActivities({ manifests }: { manifests: ManifestReader }) {
  return {
    /** Reads a manifest of videos once, checks every line and cuts it into batches. Heartbeats. */
    async scanVideos({ manifest, lines, canary }: ScanVideosInput): Promise<ScannedVideos> {
      const beat = setInterval(() => {
        heartbeat();
      }, HEARTBEAT_MS);
      try {
        const { ranges, sha256 } = await manifests.scan(manifest, {
          schema: videoItemSchema,
          signal: cancellationSignal(),
          limits: {
            ...BATCH_LIMITS,
            mostLines: MOST_LINES,
            cutAfter: canary,
            only: lines === undefined ? undefined : new Set(fromRanges(lines)),
          },
        });
        return { ranges, digest: digestOf([sha256, lines, canary]) };
      } finally {
        clearInterval(beat);
      }
    },
  };
}

export type ScanActivities = ReturnType<typeof createScanActivities>;

export function digestOf(facts: unknown): string {
  return createHash('sha256').update(JSON.stringify(facts)).digest('hex');
}
