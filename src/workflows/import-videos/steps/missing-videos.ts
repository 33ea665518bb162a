import type { PolledVideos } from '../../../activities/videos/polled-videos.js';
import { countRanges, fromRanges } from '../../../engine/core/number-ranges.js';
import type { ImportRun } from './import-state.js';

/** A look at videos of an import. */
export interface VideoLook extends Pick<PolledVideos, 'pending' | 'missing'> {
  /** When it began, in milliseconds since the epoch. */
  at: number;
}

export interface MissingVideos {
  /** Those that a look lacks and that are gone for sure. One list without a video proves nothing. */
  goneIn(look: VideoLook): Promise<number[]>;
  /** Those that lists have lacked for longer than they lag, and that are not gone. Call it after `goneIn`. */
  lackedIn(look: VideoLook): number[];
}

export function createMissingVideos(run: ImportRun): MissingVideos {
  /** When a look ended that lacks them; none has shown them since. */
  const lackedAt = new Map<number, number>();
  const { reconcileGraceMs } = run.prepared.policy;
  const lackedIn = (ids: Iterable<number>, at: number): number[] =>
    [...ids].filter((id) => at - (lackedAt.get(id) ?? at) >= reconcileGraceMs);
  return {
    lackedIn: ({ missing, at }) => lackedIn(fromRanges(missing), at),
    async goneIn({ pending, missing, at }) {
      for (const id of fromRanges(pending)) lackedAt.delete(id);
      if (missing === '') return [];
      const now = Date.now();
      for (const id of fromRanges(missing)) if (!lackedAt.has(id)) lackedAt.set(id, now);
      const summary = `${countRanges(missing)} that the list lacks`;
      const again = { ids: missing, fields: [] };
      const read = await run.api.reads.readVideos.executeWithOptions({ summary }, [again]);
      const gone = [...fromRanges(read.missing)];
      // Too many to be read by their ids: then lists have to lack them for longer than lists lag.
      return read.isSure ? gone : lackedIn(gone, at);
    },
  };
}
