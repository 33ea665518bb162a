import type { Client, WorkflowHandle } from '@temporalio/client';
import { Worker, type WorkerOptions } from '@temporalio/worker';

/**
 * Fails when the code no longer makes the decisions that the histories of runs and of their children
 * recorded. In one worker for all of them: each reads the bundle anew.
 */
export async function replayAll(
  client: Client,
  runs: readonly WorkflowHandle[],
  workflowBundle: NonNullable<WorkerOptions['workflowBundle']>,
): Promise<void> {
  if (runs.length === 0) return;
  const replays = Worker.runReplayHistories({ workflowBundle }, historiesOf(client, runs));
  for await (const { error } of replays) {
    if (error !== undefined) throw error;
  }
}

async function* historiesOf(client: Client, runs: readonly WorkflowHandle[]) {
  for (const run of runs) {
    const history = await run.fetchHistory();
    yield { workflowId: run.workflowId, history };
    for (const { childWorkflowExecutionStartedEventAttributes: started } of history.events ?? []) {
      const { workflowId, runId } = started?.workflowExecution ?? {};
      if (typeof workflowId !== 'string' || typeof runId !== 'string') continue;
      const child = client.workflow.getHandle(workflowId, runId);
      yield { workflowId, history: await child.fetchHistory() };
    }
  }
}
