import { randomUUID } from 'node:crypto';

import type { Client, Workflow, WorkflowHandle } from '@temporalio/client';
import proto from '@temporalio/proto';

const { RESET_REAPPLY_EXCLUDE_TYPE_UPDATE: UPDATE } =
  proto.temporal.api.enums.v1.ResetReapplyExcludeType;

/** Which workflow task of the history is carried out anew; the events before it are copied. */
export type ResetPoint =
  | 'the first workflow task'
  /** The task that has scheduled this activity. `withoutUpdates`: what was asked of the run since is not asked again. */
  | { sending: string; withoutUpdates?: true }
  /** The last task of an earlier history, by its Run Id. */
  | { endOf: string }
  /** The first task of an earlier history, by its Run Id. */
  | { beginOf: string }
  /** The last task. What it finds open stays open. */
  | 'the last workflow task';

/** Resets a run, as `temporal workflow reset` does. Returns the new run. */
export async function resetRun<T extends Workflow>(
  client: Client,
  { workflowId }: WorkflowHandle<T>,
  point: ResetPoint,
): Promise<WorkflowHandle<T>> {
  const handle = client.workflow.getHandle(workflowId, historyOf(point));
  const reset = {
    namespace: client.options.namespace,
    workflowExecution: { workflowId, runId: (await handle.describe()).runId },
    reason: 'by an operator',
    requestId: randomUUID(),
    workflowTaskFinishEventId: (await taskOf(handle, point)) ?? null,
    ...(point instanceof Object &&
      'withoutUpdates' in point && { resetReapplyExcludeTypes: [UPDATE] }),
  };
  const { runId } = await client.workflowService.resetWorkflowExecution(reset);
  return client.workflow.getHandle<T>(workflowId, runId);
}

function historyOf(point: ResetPoint): string | undefined {
  if (!(point instanceof Object)) return undefined;
  if ('endOf' in point) return point.endOf;
  return 'beginOf' in point ? point.beginOf : undefined;
}

async function taskOf(handle: WorkflowHandle, point: ResetPoint) {
  const events = (await handle.fetchHistory()).events ?? [];
  const tasks = events.filter((event) => event.workflowTaskCompletedEventAttributes);
  if (point === 'the first workflow task' || (point instanceof Object && 'beginOf' in point)) {
    return tasks[0]?.eventId;
  }
  if (point === 'the last workflow task' || 'endOf' in point) return tasks.at(-1)?.eventId;
  const scheduled = events
    .map((event) => event.activityTaskScheduledEventAttributes)
    .find((attributes) => attributes?.activityType?.name === point.sending);
  return scheduled?.workflowTaskCompletedEventId;
}
