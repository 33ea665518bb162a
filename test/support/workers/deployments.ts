import type { Client } from '@temporalio/client';

import { DELIVER_WEBHOOKS, HOLD_TURN } from '../../../src/engine/core/names.js';
import { Operation } from '../../../src/contract/wire/names.js';
import { newVersionSignal } from '../../../src/engine/core/messages.js';
import { until } from '../timing/until.js';

/** A version of the workers. */
export interface Deployed {
  deploymentName: string;
  buildId: string;
}

/** Sends all new runs to a version, as soon as the server knows it by a poll of its workers. */
export async function makeCurrent(client: Client, version: Deployed): Promise<void> {
  const { workflowService, options } = client;
  const request = { namespace: options.namespace, ...version };
  await until(`${version.buildId} is current`, () =>
    workflowService.setWorkerDeploymentCurrentVersion(request).then(
      () => true,
      () => false,
    ),
  );
}

/** Asks what waits for long at a version to go on at the current one. Returns the Workflow Ids. */
export async function askToMove(client: Client, version: Deployed): Promise<string[]> {
  const types = [Operation.protectIp, HOLD_TURN, DELIVER_WEBHOOKS].map((type) => `'${type}'`);
  const query = `${openAt(version)} AND WorkflowType IN (${types.join(', ')})`;
  const asked: string[] = [];
  for await (const { workflowId, runId } of client.workflow.list({ query })) {
    // The list may be a moment old.
    const isAsked = await client.workflow
      .getHandle(workflowId, runId)
      .signal(newVersionSignal)
      .then(
        () => true,
        () => false,
      );
    if (isAsked) asked.push(workflowId);
  }
  return asked;
}

export async function countOpenAt(client: Client, version: Deployed): Promise<number> {
  return (await client.workflow.count(openAt(version))).count;
}

/** How many versions the server knows. */
export async function countVersions(client: Client, deploymentName: string): Promise<number> {
  const { namespace } = client.options;
  const request = { namespace, deploymentName };
  const { workerDeploymentInfo } = await client.workflowService.describeWorkerDeployment(request);
  return workerDeploymentInfo?.versionSummaries?.length ?? 0;
}

function openAt({ deploymentName, buildId }: Deployed): string {
  return `TemporalWorkerDeploymentVersion = '${deploymentName}:${buildId}' AND ExecutionStatus = 'Running'`;
}
