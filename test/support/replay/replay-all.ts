import { resolve } from 'node:path';

import { Connection, type Client } from '@temporalio/client';
import { Worker, type WorkerOptions } from '@temporalio/worker';
import { z } from 'zod';

import type * as failedTasks from './failed-tasks-in.js';

type WorkflowBundle = NonNullable<WorkerOptions['workflowBundle']>;

/** Fails if the code no longer makes the decisions in the histories of the runs and their children. */
export async function replayAll(
  client: Client,
  workflowIds: readonly string[],
  workflowBundle: WorkflowBundle,
): Promise<void> {
  const errors = await replayErrors(client, workflowIds, workflowBundle);
  const failed = errors.filter((error) => error !== '');
  if (failed.length > 0) throw new Error(failed.join('\n'));
}

/** One text for each run: why it or one of its children does not replay, and which workflow tasks the code failed. */
export function replayErrors(
  client: Client,
  workflowIds: readonly string[],
  workflowBundle: WorkflowBundle,
): Promise<string[]> {
  if (workflowIds.length === 0) return Promise.resolve([]);
  const url = process.env['REPLAY_ADDRESS'];
  const { connection } = client;
  const canAsk = url !== undefined && connection instanceof Connection;
  // Outside jest no replay server runs. Code that is not in a file is too large to send to it.
  if (!canAsk || !('codePath' in workflowBundle)) {
    return replayHere(client, workflowIds, workflowBundle);
  }
  const { address } = connection.options;
  return askServer(url, {
    address,
    namespace: client.options.namespace,
    codePath: workflowBundle.codePath,
    workflowIds,
  });
}

async function askServer(
  url: string,
  body: { address: string; namespace: string; codePath: string; workflowIds: readonly string[] },
): Promise<string[]> {
  const { workflowIds } = body;
  const response = await fetch(url, { method: 'POST', body: JSON.stringify(body) });
  if (!response.ok) throw new Error(`${workflowIds.join(', ')}: ${await response.text()}`);
  return z
    .array(z.string())
    .length(workflowIds.length)
    .parse(await response.json());
}

/** One worker replays all runs, because every worker reads the bundle and never frees its memory. */
async function replayHere(
  client: Client,
  workflowIds: readonly string[],
  workflowBundle: WorkflowBundle,
): Promise<string[]> {
  const { failedTasksIn } = await importFailedTasks();
  const errors = workflowIds.map((): string[] => []);
  // The errors of the run that is replayed now. The worker takes a history only after the caller has
  // read the result of the one before.
  let current: string[] = [];
  async function* histories() {
    for (const [index, workflowId] of workflowIds.entries()) {
      current = errors[index] ?? [];
      for await (const run of historiesOf(client, workflowId)) {
        current.push(...failedTasksIn(run));
        yield run;
      }
    }
  }
  const replays = Worker.runReplayHistories({ workflowBundle }, histories());
  for await (const { workflowId, error } of replays) {
    if (error !== undefined) current.push(`${workflowId} does not replay: ${String(error)}`);
  }
  return errors.map((messages) => messages.join('\n'));
}

/** By its path in the project: compiled scripts run in another folder, and the compiler leaves JavaScript behind. */
async function importFailedTasks() {
  const path = resolve('test/support/replay/failed-tasks-in.js');
  // eslint-disable-next-line @typescript-eslint/consistent-type-assertions -- what lies at this path is its declaration
  return (await import(path)) as typeof failedTasks;
}

/** A copy of the function in replay-server.js. That runs without jest, so it cannot import this. */
async function* historiesOf(client: Client, workflowId: string) {
  let runId: string | undefined;
  do {
    const history = await client.workflow.getHandle(workflowId, runId).fetchHistory();
    yield { workflowId, history };
    for (const { childWorkflowExecutionStartedEventAttributes: started } of history.events ?? []) {
      const child = started?.workflowExecution;
      if (typeof child?.workflowId !== 'string' || typeof child.runId !== 'string') continue;
      const handle = client.workflow.getHandle(child.workflowId, child.runId);
      yield { workflowId: child.workflowId, history: await handle.fetchHistory() };
    }
    // A long run has continued from an earlier history.
    const [first] = history.events ?? [];
    runId = first?.workflowExecutionStartedEventAttributes?.continuedExecutionRunId ?? undefined;
  } while (runId);
}
