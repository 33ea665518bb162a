import {
  WorkflowNotFoundError,
  type Client,
  type WorkflowExecutionDescription,
  type WorkflowExecutionInfo,
} from '@temporalio/client';
import proto from '@temporalio/proto';

import { RAN_BEFORE_MEMO } from '../engine/core/identity.js';
import { HAS_ENDED, quoteValue } from '../engine/core/text.js';
import { isNoRunId } from './is-not-found.js';

const { HISTORY_EVENT_FILTER_TYPE_CLOSE_EVENT: END } =
  proto.temporal.api.enums.v1.HistoryEventFilterType;

interface Named {
  workflowId: string;
  runId: string;
}

/** Enough for any request id. */
const MAX_RUNS = 10;

/** The runs that the named one leads to, with itself. @param deadline in milliseconds since the epoch, by the clock of this process */
export type RunsBefore = (
  named: { workflowId: string; runId: string | undefined },
  deadline: number,
) => Promise<
  readonly Pick<WorkflowExecutionDescription, 'runId' | 'startTime' | 'closeTime' | 'memo'>[]
>;

export function createRunsBefore(getClient: () => Client): RunsBefore {
  return async (named, deadline) => {
    if (named.runId === undefined) return [];
    const client = getClient();
    return client.withDeadline(deadline, () => runsBefore(client, named, MAX_RUNS));
  };
}

/**
 * The run that is named and those before it, the newest first: each names the one before itself, and no list has to show them
 * yet. With all that resets have made of each, which may be the one that goes on. Ends where a history is gone, or where a client has
 * started a run that names none.
 */
export async function runsBefore(
  client: Client,
  { workflowId, runId }: { workflowId: string; runId: string | undefined },
  most: number,
): Promise<WorkflowExecutionDescription[]> {
  const runs: WorkflowExecutionDescription[] = [];
  let before: unknown = runId;
  while (typeof before === 'string' && runs.length < most) {
    const tries = await withResets(client, { workflowId, runId: before }, most);
    runs.push(...tries);
    before = tries.at(-1)?.memo?.[RAN_BEFORE_MEMO];
  }
  return runs;
}

/** Neither the one that goes on, nor a history that went on in another one, which knows all that this has begun. */
export function hasEnded(run: WorkflowExecutionDescription): boolean {
  return run.closeTime !== undefined && !wentOn(run);
}

function wentOn({ status }: WorkflowExecutionDescription): boolean {
  return status.name === 'CONTINUED_AS_NEW';
}

/** Of one run. Who has more is found by the lists. */
const MOST_HISTORIES = 200;

/**
 * The run that is named with all that resets and new histories have made of it, the newest first: each run names the one that it was
 * last reset to, and that one the first of them. A history that goes on in another one names that by its last event.
 */
export async function withResets(
  client: Client,
  named: Named,
  most: number,
): Promise<WorkflowExecutionDescription[]> {
  const { workflowId } = named;
  const runs = new Map<string, WorkflowExecutionDescription>();
  const next = new Set([named.runId]);
  for (const runId of next) {
    const ended = [...runs.values()].filter((run) => !wentOn(run));
    if (ended.length >= most || runs.size >= MOST_HISTORIES) break;
    const run = await describe(client, { workflowId, runId });
    if (run === undefined) continue;
    runs.set(runId, run);
    const { workflowExecutionInfo, workflowExtendedInfo } = run.raw;
    const of = [workflowExecutionInfo?.firstRunId, workflowExtendedInfo?.resetRunId];
    for (const other of [...of, await nextHistory(client, run)]) if (other) next.add(other);
  }
  return [...runs.values()].sort((one, other) => Number(other.startTime) - Number(one.startTime));
}

/** Of one answer of the server. */
const PAGE_SIZE = 100;

/**
 * What a list shows: their Run Ids, without those that go on in another history; the newest first.
 *
 * @param isMeant all that have ended when left out. Those that are not meant do not count: a script may repeat for days what is
 *   refused each time
 */
export async function endedRuns(
  { workflow }: Client,
  workflowId: string,
  {
    most,
    isMeant = () => true,
  }: { most: number; isMeant?: (run: WorkflowExecutionInfo) => boolean },
): Promise<string[]> {
  const query = `WorkflowId = ${quoteValue(workflowId)} AND ${HAS_ENDED}`;
  const ended = [];
  for await (const run of workflow.list({ query, pageSize: PAGE_SIZE })) {
    if (run.status.name !== 'CONTINUED_AS_NEW' && isMeant(run)) ended.push(run);
    if (ended.length === most) break;
  }
  ended.sort((one, other) => other.startTime.getTime() - one.startTime.getTime());
  return ended.map(({ runId }) => runId);
}

async function nextHistory(
  { workflowService, options: { namespace } }: Client,
  run: WorkflowExecutionDescription,
): Promise<string | null | undefined> {
  if (!wentOn(run)) return undefined;
  const { workflowId, runId } = run;
  const { history } = await workflowService.getWorkflowExecutionHistory({
    namespace,
    execution: { workflowId, runId },
    historyEventFilterType: END,
  });
  const end = history?.events?.at(-1)?.workflowExecutionContinuedAsNewEventAttributes;
  return end?.newExecutionRunId;
}

/** `undefined`: the server does not know it, or not any more. */
export async function describe(
  { workflow }: Client,
  { workflowId, runId }: Named,
): Promise<WorkflowExecutionDescription | undefined> {
  return workflow.getHandle(workflowId, runId).describe().catch(orNone);
}

function orNone(error: unknown): undefined {
  if (error instanceof WorkflowNotFoundError) return;
  if (!(error instanceof Error && isNoRunId(error.cause))) throw error;
}
