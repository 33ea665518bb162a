import { randomUUID } from 'node:crypto';

import type { ListVideosInput } from '../contract/operations/types.js';
import type { VideoDetails } from '../contract/video-details.js';
import { Operation, workflowIdFor } from '../contract/wire/names.js';
import type { VideoField } from '../contract/wire/videos.js';
import { DEFAULT_ACCOUNT } from '../engine/core/names.js';
import { toRanges } from '../engine/core/number-ranges.js';
import { cancelRun } from './ask-run.js';
import { awaitResult } from './await-result.js';
import { withDeadline, type Calls } from './server-calls.js';
import { startRun, type StartDeps } from './start-run.js';

export interface DetailsWish {
  input: Omit<ListVideosInput, 'ids' | 'fields'> & { fields: VideoField[] };
  /** The run on whose behalf the details are read; see `StartedBy`. */
  startedFor: string;
}

export type DetailsById = ReadonlyMap<number, VideoDetails>;

/** What one read has shown: the details of the videos that the API lists, or nothing. */
export interface ReadDetails {
  details?: DetailsById;
  /** Why there are none. Missing when the reading was stopped from outside. */
  error?: unknown;
}

/** Reads details by runs of `listVideos`. */
export interface DetailsReader {
  /** Never rejects. Without an id it reads nothing. */
  read(ids: readonly number[]): Promise<ReadDetails>;
  /** Ends what is read now, and cancels its runs. Later reads show nothing. */
  stop(): void;
}

interface ReaderDeps extends StartDeps {
  call: Calls['call'];
}

/** A read that fails says little about the next one. So many in a row say that none is going to succeed. */
const MOST_FAILED_IN_A_ROW = 3;
/** Longer than most outages of an API; results that are complete but for the details are worth more. */
const DEADLINE = '30 minutes';

export function createDetailsReader(
  deps: ReaderDeps,
  { wish, signal }: { wish: DetailsWish; signal: AbortSignal | undefined },
): DetailsReader {
  const { isStopped, stop, untilStopped } = createStop(signal);
  let failed = 0;
  let lastError: unknown;
  return {
    stop,
    async read(ids) {
      if (ids.length === 0) return { details: new Map() };
      if (isStopped()) return {};
      if (failed >= MOST_FAILED_IN_A_ROW) return { error: lastError };
      const requestId = randomUUID();
      try {
        const reading = readOnce(deps, wish, { ids, requestId });
        const details = await Promise.race([reading, untilStopped]);
        failed = 0;
        return { details };
      } catch (error) {
        if (isStopped()) {
          await cancelQuietly(deps, idOf(wish, requestId));
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

async function readOnce(
  deps: ReaderDeps,
  { input, startedFor }: DetailsWish,
  { ids, requestId }: { ids: readonly number[]; requestId: string },
): Promise<DetailsById> {
  const operation = Operation.listVideos;
  const asked: ListVideosInput = {
    ...input,
    ids: toRanges(ids),
    // Whoever waits for the results mends nothing, and is told about the import alone.
    onBlocked: 'fail',
    deadline: DEADLINE,
    notify: [],
  };
  const { workflowId } = await deps.call(() =>
    startRun({ ...deps, startedFor }, operation, { requestId, input: asked, urgency: 'bulk' }),
  );
  const { videos } = await deps.call(() => awaitResult(deps.client, { operation, workflowId }));
  const wanted = new Set(ids);
  return new Map(videos.filter(({ id }) => wanted.has(id)).map((video) => [video.id, video]));
}

function idOf({ input: { account = DEFAULT_ACCOUNT } }: DetailsWish, requestId: string): string {
  return workflowIdFor(Operation.listVideos, account, requestId);
}

/** A run that nobody cancels ends by itself. */
async function cancelQuietly(deps: ReaderDeps, workflowId: string): Promise<void> {
  const { client, answerWithinMs } = deps;
  const cancel = () => withDeadline(client, answerWithinMs, () => cancelRun(deps, workflowId));
  await deps.call(cancel).catch(() => undefined);
}
