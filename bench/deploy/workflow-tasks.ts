import type { Client } from '@temporalio/client';
import proto from '@temporalio/proto';

import type { WorkerProcess } from '../../test/support/workers/worker-process.js';

const { WorkflowTaskFailedCause: Cause } = proto.temporal.api.enums.v1;

/** The server rejects a task during which a signal arrived, and gives it out again. No worker is at fault. */
const NEWS = Cause.WORKFLOW_TASK_FAILED_CAUSE_UNHANDLED_COMMAND;

export interface TaskFailures {
  histories: number;
  /** Tasks that a worker failed, by what it said. */
  failed: string[];
  /** Tasks that the server gave out again, because something had arrived meanwhile. */
  overtaken: number;
}

/** Reads all histories of the namespace. */
export async function readTaskFailures(client: Client): Promise<TaskFailures> {
  const found: TaskFailures = { histories: 0, failed: [], overtaken: 0 };
  for await (const { workflowId, runId, type } of client.workflow.list()) {
    // Temporal keeps the deployments themselves in workflows of its own.
    if (type.startsWith('temporal-sys')) continue;
    const { events } = await client.workflow.getHandle(workflowId, runId).fetchHistory();
    found.histories += 1;
    for (const { workflowTaskFailedEventAttributes: failed } of events ?? []) {
      if (!failed) continue;
      if (failed.cause === NEWS) found.overtaken += 1;
      else found.failed.push(`${workflowId}: ${failed.failure?.message ?? String(failed.cause)}`);
    }
  }
  return found;
}

/** Lines of the log that speak of a failed workflow task. Repeated failures are in no history. */
export function failuresInLogs(workers: readonly WorkerProcess[]): string[] {
  return workers.flatMap(({ lines }) =>
    lines.filter((line) => /TMPRL1100|[Nn]ondeterminism|Failing workflow task/.test(line)),
  );
}
