import type { Client } from '@temporalio/client';

import { newVersionSignal } from '../../engine/core/messages.js';
import { DELIVER_WEBHOOKS, HOLD_TURN } from '../../engine/core/names.js';
import { Operation } from '../../contract/wire/names.js';
import { GrpcCode, grpcCodeOf } from '../server-calls.js';
import { versionFilter } from './read-status.js';

/** What was asked to leave a version, and what stays there until it ends. */
export interface Drained {
  build: string;
  /** Workflow Ids of the holds, locks and deliveries that were asked. */
  asked: string[];
  /** Open runs by workflow type that end by themselves, or move at their next batch. */
  staying: Record<string, number>;
}

/** These wait for long, and continue in a new history when they are asked. An import does so by itself. */
const ASKED: ReadonlySet<string> = new Set([Operation.protectIp, HOLD_TURN, DELIVER_WEBHOOKS]);

export async function drainVersion(
  client: Client,
  { deployment, build }: { deployment: string; build: string },
): Promise<Drained> {
  const drained: Drained = { build, asked: [], staying: {} };
  const query = `${versionFilter(deployment, build)} AND ExecutionStatus = 'Running'`;
  for await (const { workflowId, runId, type } of client.workflow.list({ query })) {
    const isAsked = ASKED.has(type) && (await isSignalled(() => signal(client, workflowId, runId)));
    if (isAsked) drained.asked.push(workflowId);
    else if (!ASKED.has(type)) drained.staying[type] = (drained.staying[type] ?? 0) + 1;
  }
  return drained;
}

function signal(client: Client, workflowId: string, runId: string): Promise<void> {
  return client.workflow.getHandle(workflowId, runId).signal(newVersionSignal);
}

/** The list may be a moment old: false when the run has ended or moved since. */
async function isSignalled(send: () => Promise<void>): Promise<boolean> {
  try {
    await send();
    return true;
  } catch (error) {
    const isGone = error instanceof Error && error.name === 'WorkflowNotFoundError';
    if (isGone || grpcCodeOf(error) === GrpcCode.notFound) return false;
    throw error;
  }
}
