/** Those of a run, from the last to the first, and of its children, with the handle of each. */
export async function* historiesOf(client, workflowId) {
  let runId;
  do {
    const handle = client.workflow.getHandle(workflowId, runId);
    const history = await handle.fetchHistory();
    yield { handle, history };
    for (const { childWorkflowExecutionStartedEventAttributes: started } of history.events ?? []) {
      const child = started?.workflowExecution;
      if (!child) continue;
      const ofChild = client.workflow.getHandle(child.workflowId, child.runId);
      yield { handle: ofChild, history: await ofChild.fetchHistory() };
    }
    // A long run has continued from an earlier history.
    runId = history.events?.[0]?.workflowExecutionStartedEventAttributes?.continuedExecutionRunId;
  } while (runId);
}
