import type { Tolerate } from '../../operations/import-videos.js';
import type { PreparedSender } from '../../../engine/core/prepared-run.js';

/** Ended runs with the same id. */
export interface EarlierRuns {
  /** When the first of them began, in milliseconds since the epoch; missing when there were none. */
  since?: number;
  /** Digests of the lists that they imported. `unknown`: the Temporal server cannot list runs now. */
  digests: string[] | 'unknown';
}

/** Some of the videos of the input. Lines count from 1. */
export interface InlineBatch {
  lines: string;
}

export interface PreparedImportVideos extends PreparedSender {
  waitFor: 'created' | 'viewable' | 'ready';
  tolerate: Tolerate;
  canary?: number;
  /** Batches of the videos in the input itself; a scan finds those of a manifest. */
  inline?: { batches: InlineBatch[]; digest: string };
  earlier: EarlierRuns;
}
