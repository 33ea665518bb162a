import { setTimeout as delay } from 'node:timers/promises';

import type { Client, WorkflowExecutionDescription } from '@temporalio/client';

import type { LeftBefore } from '../activities/index.js';
import { askRun } from '../client/ask-run.js';
import { findDifferences } from '../client/intent.js';
import { withDeadline } from '../client/server-calls.js';
import { Operation } from '../contract/wire/names.js';
import { statusQuery, type RunRef } from '../engine/core/messages.js';
import type { Resource } from '../engine/core/status.js';
import { endedRuns, hasEnded, runsBefore, withResets } from './runs-before.js';

/** Enough for any request id. */
const MAX_RUNS = 10;
/** All of them together stay below the timeout of the activity. */
const ANSWER_WITHIN_MS = 5_000;

/** A list of the server lags behind the end of a run, which a script may repeat at once. */
const LISTED_WITHIN_MS = 2_000;

const { deleteInstance: operation } = Operation;

/**
 * What the runs of a request that have ended without success still named at their end, back to the last one that succeeded.
 * Asks the runs themselves: a cancelled or terminated one has no other word of it. A run that has the Workflow Id and was asked
 * for something else is passed over.
 * @throws what a later try may mend
 */
export function createLeftBefore(getClient: () => Client): LeftBefore {
  return async ({ workflowId, input, ranBefore, parent }) => {
    const client = getClient();
    const left: Resource[] = [];
    const named = [
      ...(await runsBefore(client, { workflowId, runId: ranBefore }, MAX_RUNS)),
      ...(parent === undefined ? [] : await partsOf(client, parent, workflowId)),
    ].sort((one, other) => Number(other.startTime) - Number(one.startTime));
    const described = new Map(named.filter(hasEnded).map((run) => [run.runId, run]));
    const ended = await endedBefore(client, workflowId, [...described.keys()]);
    if (ranBefore !== undefined && ended.length === 0) return undefined;
    for (const runId of ended) {
      const run =
        described.get(runId) ?? (await client.workflow.getHandle(workflowId, runId).describe());
      if (run.status.name === 'COMPLETED') break;
      if ((await findDifferences(client, run, { operation, input })) !== undefined) continue;
      const { steps } = await withDeadline(client, ANSWER_WITHIN_MS, () =>
        askRun(client, { workflowId, runId }, statusQuery),
      );
      left.push(...steps.flatMap(({ resources }) => resources));
    }
    return left;
  };
}

/**
 * The runs of a part that the tries of a run have started: a part names none before itself. A caller's own workflow may be the parent
 * too, with a history of its own kind.
 */
async function partsOf(
  client: Client,
  parent: RunRef,
  workflowId: string,
): Promise<WorkflowExecutionDescription[]> {
  const runIds = new Set<string>();
  if (!workflowId.startsWith(`${parent.workflowId}/`)) return [];
  for (const run of await runsBefore(client, parent, MAX_RUNS)) {
    const handle = client.workflow.getHandle(parent.workflowId, run.runId);
    const { events } = await handle.fetchHistory();
    for (const { childWorkflowExecutionStartedEventAttributes: child } of events ?? []) {
      const { workflowId: id, runId } = child?.workflowExecution ?? {};
      if (id === workflowId && runId) runIds.add(runId);
    }
  }
  const parts: WorkflowExecutionDescription[] = [];
  for (const runId of runIds) {
    parts.push(...(await withResets(client, { workflowId, runId }, MAX_RUNS)));
  }
  return parts;
}

/**
 * Their Run Ids, the newest first. Those that no run names, because a client in another language has started it, a list has.
 *
 * @param named those that a run names
 */
async function endedBefore(
  client: Client,
  workflowId: string,
  named: readonly string[],
): Promise<string[]> {
  const listed = await endedRuns(client, workflowId, { most: MAX_RUNS });
  const known = [...new Set([...named, ...listed])];
  if (known.length > 0) return known.slice(0, MAX_RUNS);
  await delay(LISTED_WITHIN_MS);
  return endedRuns(client, workflowId, { most: MAX_RUNS });
}
