import type proto from '@temporalio/proto';

import { isGrpcServiceError } from '@temporalio/client';

import { plainEvent, type PlainEvent } from './normalise.js';
import type { RunId, Stage } from './stage.js';

type HistoryEvent = proto.temporal.api.history.v1.IHistoryEvent;

export interface RunHistory {
  run: RunId;
  /** Undefined for a run that the server has deleted. */
  events: PlainEvent[] | undefined;
}

/** The histories of these runs, of those that continue them, and of their children. */
export async function collectHistories(
  stage: Stage,
  started: readonly RunId[],
): Promise<RunHistory[]> {
  const histories: RunHistory[] = [];
  const queue = [...started];
  for (let run = queue.shift(); run !== undefined; run = queue.shift()) {
    const { runId } = run;
    if (runId === '' || histories.some((known) => known.run.runId === runId)) continue;
    const events = await readHistory(stage, run);
    histories.push({ run, events: events?.map(plainEvent) });
    queue.unshift(...(events ?? []).flatMap((event) => runsIn(event, run.workflowId)));
  }
  return histories;
}

async function readHistory(stage: Stage, execution: RunId): Promise<HistoryEvent[] | undefined> {
  const { connection, namespace } = stage;
  const events: HistoryEvent[] = [];
  let nextPageToken: Uint8Array | undefined;
  try {
    do {
      const page = await connection.workflowService.getWorkflowExecutionHistory({
        namespace,
        execution,
        ...(nextPageToken && { nextPageToken }),
      });
      events.push(...(page.history?.events ?? []));
      ({ nextPageToken } = page);
    } while (nextPageToken.length > 0);
  } catch (error) {
    if (isGrpcServiceError(error)) return undefined;
    throw error;
  }
  return events;
}

/** The runs that an event tells of. */
function runsIn(event: HistoryEvent, workflowId: string): RunId[] {
  const child = event.childWorkflowExecutionStartedEventAttributes?.workflowExecution;
  if (child !== undefined && child !== null) {
    return [{ workflowId: child.workflowId ?? '', runId: child.runId ?? '' }];
  }
  const next = [
    event.workflowExecutionContinuedAsNewEventAttributes,
    event.workflowExecutionCompletedEventAttributes,
    event.workflowExecutionFailedEventAttributes,
    event.workflowExecutionTimedOutEventAttributes,
  ].flatMap((attributes) => attributes?.newExecutionRunId ?? []);
  return next.filter((runId) => runId !== '').map((runId) => ({ workflowId, runId }));
}
