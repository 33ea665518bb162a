import type { Client, WorkflowHandle } from '@temporalio/client';

export function historiesOf(
  client: Client,
  workflowId: string,
): AsyncGenerator<{
  handle: WorkflowHandle;
  history: Awaited<ReturnType<WorkflowHandle['fetchHistory']>>;
}>;
