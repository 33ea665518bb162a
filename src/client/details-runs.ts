import type { ListVideosInput } from '../contract/operations/types.js';
import type { VideoField } from '../contract/wire/videos.js';
import { Operation } from '../contract/wire/names.js';
import { toRanges } from '../engine/core/number-ranges.js';
import { cancelRun } from './ask-run.js';
import { awaitResult } from './await-result.js';
import type { DetailsSource } from './details-reader.js';
import { withDeadline, type Calls } from './server-calls.js';
import { startRun, type StartDeps, type StartedRun } from './start-run.js';

export interface DetailsWish {
  input: Omit<ListVideosInput, 'ids' | 'fields'> & { fields: VideoField[] };
  /** The run on whose behalf the details are read; see `StartedBy`. */
  startedFor: string;
}

interface RunsDeps extends StartDeps {
  call: Calls['call'];
}

/** Longer than most outages of an API; results that are complete but for the details are worth more. */
const DEADLINE = '30 minutes';

/** Details by runs of `listVideos`, one for each read. */
export function createDetailsRuns(
  deps: RunsDeps,
  { input, startedFor }: DetailsWish,
): DetailsSource {
  const { client, call, answerWithinMs } = deps;
  const operation = Operation.listVideos;
  const starts = new Map<string, Promise<StartedRun>>();
  return {
    async read(requestId, ids) {
      const asked: ListVideosInput = {
        ...input,
        ids: toRanges(ids),
        // Whoever waits for the results mends nothing, and is told about the import alone.
        onBlocked: 'fail',
        deadline: DEADLINE,
        notify: [],
      };
      const request = { requestId, input: asked, urgency: 'bulk' } as const;
      const starting = call(() => startRun({ ...deps, startedFor }, operation, request));
      starts.set(requestId, starting);
      const run = await starting;
      const { videos } = await call(() => awaitResult(client, { operation, ...run }));
      starts.delete(requestId);
      const wanted = new Set(ids);
      return new Map(videos.filter(({ id }) => wanted.has(id)).map((video) => [video.id, video]));
    },

    async cancel(requestId) {
      // Before its start has arrived there is no run to cancel.
      const started = await starts.get(requestId)?.catch(() => undefined);
      // Somebody else waits for a run that was joined.
      if (started?.outcome !== 'started') return;
      const cancel = () => cancelRun(deps, started);
      // A run that nobody cancels ends by itself.
      await call(() => withDeadline(client, answerWithinMs, cancel)).catch(() => undefined);
    },
  };
}
