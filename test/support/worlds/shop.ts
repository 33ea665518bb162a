import { randomUUID } from 'node:crypto';

import {
  Client,
  Connection,
  WorkflowFailedError,
  WorkflowNotFoundError,
  type WorkflowHandleWithFirstExecutionRunId,
} from '@temporalio/client';
import { Worker } from '@temporalio/worker';

import { workflowIdFor } from '../../../src/contract/wire/names.js';
import { createNamespace } from '../cli/cli-world.js';
import { provisionInput } from '../inputs/provision-input.js';
import { inScenario, type Scenario } from '../runs/scenario.js';
import { until } from '../timing/until.js';
import { bundleWorkflows } from '../workers/bundle-workflows.js';

/** A team with workflows in a namespace of its own, beside a scenario. */
export interface Shop extends Scenario {
  /** Starts the workflow of the example, also with an input that its types would refuse. */
  order: (requestId: string, input?: object) => Promise<OrderHandle>;
  /** Starts any workflow of the bundle with these arguments, then the name of the endpoint. */
  call: (type: string, ...args: unknown[]) => Promise<OrderHandle>;
  /** The Workflow Id of the run behind a request. */
  runOf: (requestId: string) => string;
}

/** A caller without types may send anything. */
type AnyCaller = (...args: unknown[]) => Promise<unknown>;
export type OrderHandle = WorkflowHandleWithFirstExecutionRunId<AnyCaller>;

const address = process.env['TEMPORAL_ADDRESS'] ?? '';

/** Runs tests in the shop with these workflows. All share its namespace. */
export function shopOf(workflowsPath: string) {
  let opened: Promise<string> | undefined;
  return async (test: (shop: Shop) => Promise<void>): Promise<void> => {
    opened ??= newNamespace();
    const namespace = await opened;
    const workflowBundle = { codePath: await bundleWorkflows(workflowsPath) };
    await inScenario({}, async (scenario) => {
      const { account } = scenario;
      const connection = await Connection.connect({ address });
      const endpoint = `nexus-${account}`;
      const target = { worker: { namespace: 'default', taskQueue: scenario.taskQueue } };
      await connection.operatorService.createNexusEndpoint({ spec: { name: endpoint, target } });
      const client = new Client({ connection, namespace });
      const taskQueue = `shop-${account}`;
      const native = await scenario.connectNative();
      const options = { connection: native, namespace, taskQueue, workflowBundle };
      const worker = await Worker.create(options);
      const call: Shop['call'] = (type, ...args) =>
        client.workflow.start<AnyCaller>(type, {
          taskQueue,
          workflowId: `${type}-${randomUUID()}`,
          args: [...args, endpoint],
        });
      const order: Shop['order'] = (requestId, input = provisionInput()) =>
        call('orderServer', requestId, { ...input, account });
      const runOf = (requestId: string): string =>
        workflowIdFor('provisionInstance', account, requestId);
      await worker.runUntil(() => test({ ...scenario, call, order, runOf }));
      await connection.close();
    });
  };
}

async function newNamespace(): Promise<string> {
  const namespace = `shop-${randomUUID().slice(0, 8)}`;
  await createNamespace(address, namespace);
  return namespace;
}

/** What a workflow failed with, outermost first. */
export async function causesOf(order: OrderHandle): Promise<unknown[]> {
  const error: unknown = await order.result().catch((failure: unknown) => failure);
  const causes: unknown[] = [];
  let cause = error instanceof WorkflowFailedError ? error.cause : undefined;
  while (cause instanceof Error) {
    causes.push(cause);
    cause = cause.cause instanceof Error ? cause.cause : undefined;
  }
  return causes;
}

/** Until so many operations are told the end of the run. */
export function untilWaiting(
  { client }: Scenario,
  workflowId: string,
  callbacks: number,
): Promise<void> {
  return until('the operations wait for the run', async () => {
    const run = client.workflow.getHandle(workflowId);
    // It may not have started yet.
    const described = await run.describe().catch(orUndefinedWhenMissing);
    return described?.raw.callbacks?.length === callbacks;
  });
}

function orUndefinedWhenMissing(error: unknown): undefined {
  if (!(error instanceof WorkflowNotFoundError)) throw error;
}
