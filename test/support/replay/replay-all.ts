import { fork } from 'node:child_process';
import { once } from 'node:events';
import { resolve } from 'node:path';

import { Connection, type Client } from '@temporalio/client';
import { z } from 'zod';

/** A file with workflows. */
interface WorkflowBundle {
  codePath: string;
}

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
export async function replayErrors(
  { connection, options: { namespace } }: Client,
  workflowIds: readonly string[],
  { codePath }: WorkflowBundle,
): Promise<string[]> {
  if (workflowIds.length === 0) return [];
  if (!(connection instanceof Connection)) throw new TypeError('The server has no address');
  const { address } = connection.options;
  const body = JSON.stringify({ address, namespace, codePath, workflowIds });
  const response = await fetch(await replayAddress(), { method: 'POST', body });
  if (!response.ok) throw new Error(`${workflowIds.join(', ')}: ${await response.text()}`);
  return z
    .array(z.string())
    .length(workflowIds.length)
    .parse(await response.json());
}

let started: Promise<string> | undefined;

/** Outside jest nobody has started the server for all. */
async function replayAddress(): Promise<string> {
  const given = process.env['REPLAY_ADDRESS'];
  if (given !== undefined) return given;
  started ??= startReplayServer();
  return started;
}

/** It ends when this process ends, and does not hold it up. */
async function startReplayServer(): Promise<string> {
  const server = fork(resolve('test/support/replay/replay-server.js'), { execArgv: [] });
  const [port] = z.tuple([z.number()], z.unknown()).parse(await once(server, 'message'));
  server.unref();
  server.channel?.unref();
  return `http://127.0.0.1:${port}`;
}
