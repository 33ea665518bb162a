import { randomUUID } from 'node:crypto';

import type { VideoDetails } from '../contract/video-details.js';

export type DetailsById = ReadonlyMap<number, VideoDetails>;

/** What one read has shown: the details of the videos that the API lists, or nothing. */
export interface ReadDetails {
  details?: DetailsById;
  /** Why there are none. Missing when the reading was stopped from outside. */
  error?: unknown;
}

/** Reads details, and knows when that makes no sense any more. */
export interface DetailsReader {
  /** Never rejects. Without an id it reads nothing. */
  read(ids: readonly number[]): Promise<ReadDetails>;
  /** Ends what is read now. Later reads show nothing. */
  stop(): void;
  /** Resolves when what was stopped has been cancelled. */
  settled(): Promise<void>;
}

/** How details are read; each read has an id of its own. */
export interface DetailsSource {
  read(requestId: string, ids: readonly number[]): Promise<DetailsById>;
  /** Ends a read for which nobody waits. Never rejects. */
  cancel(requestId: string): Promise<void>;
}

/** A read that fails says little about the next one. So many in a row say that none is going to succeed. */
const MOST_FAILED_IN_A_ROW = 3;

/** @param signal stops the reading. */
export function createDetailsReader(
  source: DetailsSource,
  signal: AbortSignal | undefined,
): DetailsReader {
  const { isStopped, stop, untilStopped } = createStop(signal);
  const ending: Promise<void>[] = [];
  let failed = 0;
  let lastError: unknown;
  return {
    stop,
    async settled() {
      await Promise.all(ending);
    },
    async read(ids) {
      if (ids.length === 0) return { details: new Map() };
      if (isStopped()) return {};
      if (failed >= MOST_FAILED_IN_A_ROW) return { error: lastError };
      const requestId = randomUUID();
      try {
        const details = await Promise.race([source.read(requestId, ids), untilStopped]);
        failed = 0;
        return { details };
      } catch (error) {
        if (isStopped()) {
          // The lines need not wait for that.
          ending.push(source.cancel(requestId));
          return {};
        }
        failed += 1;
        lastError = error;
        return { error };
      }
    },
  };
}

/** Ends with the signal, or by itself. */
function createStop(signal: AbortSignal | undefined) {
  const stopped = new AbortController();
  const stop = (): void => {
    signal?.removeEventListener('abort', stop);
    stopped.abort();
  };
  const untilStopped = new Promise<never>((_, reject) => {
    stopped.signal.addEventListener('abort', () => {
      reject(new Error('The reading of details was stopped.'));
    });
  });
  // It may end when nothing is read.
  untilStopped.catch(() => undefined);
  signal?.addEventListener('abort', stop);
  if (signal?.aborted === true) stop();
  return { stop, untilStopped, isStopped: (): boolean => stopped.signal.aborted };
}
