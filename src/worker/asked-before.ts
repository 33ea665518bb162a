import type {
  Client,
  WorkflowExecutionDescription,
  WorkflowExecutionInfo,
} from '@temporalio/client';
import pMap from 'p-map';

import type { AskedBefore } from '../activities/index.js';
import { firstRunIdOf, unseenSince } from '../client/ask-run.js';
import { inputsOf } from '../client/intent.js';
import { PLACE_MEMO } from '../contract/wire/names.js';
import { describe, endedRuns, hasEnded, runsBefore } from './runs-before.js';

/** Enough for any request id: of runs that may have made something. */
const MAX_RUNS = 10;
/** Calls to the Temporal server at the same time. */
const MAX_CALLS = 5;

/**
 * See `AskedBefore`. The runs that the run names are known for sure; those that a client in another language has started, a list
 * shows. While visibility is away there is none, and no run waits for it.
 *
 * @throws what a later try may mend
 */
export function createAskedBefore(getClient: () => Client): AskedBefore {
  return async ({ own, ...asked }) => {
    const client = getClient();
    const runs = await earlierRuns(client, asked);
    const inputs: unknown[] = [];
    for (const run of runs.filter(hasEnded)) {
      if (!mayHaveMade(run)) continue;
      let last: unknown;
      let count = 0;
      for await (const input of inputsOf(client, run)) {
        last = input;
        count += 1;
      }
      if (firstRunIdOf(run) === own && count > 1) continue;
      if (last instanceof Object) inputs.push(Object.assign({}, placeIn(run), last));
      if (hasSucceeded(run)) break;
    }
    return inputs;
  };
}

type Ended = Pick<WorkflowExecutionInfo, 'status' | 'closeTime' | 'memo'>;

function mayHaveMade(run: Ended): boolean {
  // One that has succeeded may have been reset since.
  return hasSucceeded(run) || unseenSince(run) !== undefined;
}

function hasSucceeded({ status }: Ended): boolean {
  return status.name === 'COMPLETED';
}

/** Where its input does not say, its memo does: this worker may have other defaults. */
function placeIn({ memo }: WorkflowExecutionDescription): object {
  const place = memo?.[PLACE_MEMO];
  return place instanceof Object ? place : {};
}

/** The newest first. */
async function earlierRuns(
  client: Client,
  { workflowId, ranBefore, areListed }: Omit<Parameters<AskedBefore>[0], 'own'>,
): Promise<WorkflowExecutionDescription[]> {
  const named = await runsBefore(client, { workflowId, runId: ranBefore }, MAX_RUNS);
  const known = new Set(named.map(({ runId }) => runId));
  const meant = { most: MAX_RUNS, isMeant: mayHaveMade };
  const listed = areListed ? await endedRuns(client, workflowId, meant) : [];
  const others = await pMap(
    listed.filter((id) => !known.has(id)),
    (id) => describe(client, { workflowId, runId: id }),
    { concurrency: MAX_CALLS },
  );
  return [...named, ...others.filter((run) => run !== undefined)].sort(
    (one, other) => other.startTime.getTime() - one.startTime.getTime(),
  );
}
