import { randomUUID } from 'node:crypto';
import { join } from 'node:path';

import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Client, Connection } from '@temporalio/client';
import { defaultPayloadConverter, type Payload } from '@temporalio/common';

import { connectGcoreWorkflows } from '../../src/client/index.js';
import { Operation, WORKFLOW_TASK_QUEUE } from '../../src/contract/wire/names.js';
import { createCliWorld, type CliWorld } from '../support/cli/cli-world.js';
import { runCaptured } from '../support/cli/run-captured.js';
import { provisionInput } from '../support/inputs/provision-input.js';
import { until } from '../support/timing/until.js';
import { startFastWorker, type WorkerProcess } from '../support/workers/worker-process.js';

type Connected = Awaited<ReturnType<typeof connectGcoreWorkflows>>;

let world: CliWorld;
let worker: WorkerProcess;
let connection: Connection;
let client: Client;
let gcore: Connected;
let keysFile: string;

beforeAll(async () => {
  world = await createCliWorld({ apiKey: 'key-of-moved-payloads' });
  const { address, namespace, baseUrl, folder } = world;
  keysFile = join(folder, 'keys.json');
  await runCaptured(['codec', 'key', keysFile]);
  worker = startFastWorker({
    address,
    namespace,
    baseUrl,
    apiKey: 'key-of-moved-payloads',
    codecKeysFile: keysFile,
    speed: 100,
    reconcileGraceMs: 300,
    probeMs: 1_000,
  });
  await worker.says('Worker is ready');
  connection = await Connection.connect({ address });
  client = new Client({ connection, namespace });
  const config = { connectionOptions: { address }, namespace };
  gcore = await connectGcoreWorkflows({ config, codec: { file: keysFile } });
});

afterAll(async () => {
  worker.child.kill('SIGKILL');
  await gcore.close();
  await connection.close();
  await world.close();
});

/** As a Temporal server could do it that lies: no client takes part. */
async function startWith(workflowId: string, payload: Payload): Promise<void> {
  await connection.workflowService.startWorkflowExecution({
    namespace: world.namespace,
    workflowId,
    requestId: randomUUID(),
    workflowType: { name: Operation.provisionInstance },
    taskQueue: { name: WORKFLOW_TASK_QUEUE },
    input: { payloads: [payload] },
  });
}

async function untilRefused(workflowId: string, why: string): Promise<void> {
  await until(`it says: ${why}`, async () => {
    const { facts } = await gcore.explain(workflowId);
    return facts.past.workflowTaskFailure?.message.includes(why) === true;
  });
}

const names = () => world.simulator.inventory().instances.map(({ name }) => name);

describe('with a key ring', () => {
  it('no run takes an input that was encrypted for another one', async () => {
    const { workflowId } = await gcore.start('provisionInstance', {
      requestId: 'order-1',
      input: provisionInput(),
    });
    await gcore.result('provisionInstance', workflowId);
    const { events } = await client.workflow.getHandle(workflowId).fetchHistory();
    const [input = {}] =
      events?.[0]?.workflowExecutionStartedEventAttributes?.input?.payloads ?? [];

    await startWith('order-2', input);

    await untilRefused('order-2', 'was not written for "order-2"');
    expect(names()).toHaveLength(1);
    await client.workflow.getHandle('order-2').terminate();
  });

  it('no run takes an input in clear while the ring refuses it, and goes on when it does not', async () => {
    await runCaptured(['codec', 'plain', keysFile, 'refuse']);
    const before = names().length;

    await startWith('order-3', defaultPayloadConverter.toPayload(provisionInput()));

    await untilRefused('order-3', 'the key ring refuses what is not');
    expect(names()).toHaveLength(before);
    await runCaptured(['codec', 'plain', keysFile, 'accept']);
    await gcore.result('provisionInstance', 'order-3');
    expect(names()).toHaveLength(before + 1);
  });
});
