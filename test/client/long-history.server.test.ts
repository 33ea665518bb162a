import { randomUUID } from 'node:crypto';

import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Client, Connection } from '@temporalio/client';

import {
  connectGcoreWorkflows,
  RequestConflictError,
  type ConnectedGcoreWorkflows,
} from '../../src/client/index.js';
import { Operation } from '../../src/contract/index.js';
import { temporalAddress } from '../support/runs/scenario.js';

const items = [{ op: 'add', key: 'a', datatype: 'kv', payload: { value: 'x' } }] as const;
/** No connection takes an answer of more than 4 MiB. */
const PART = 'y'.repeat(1_900_000);
const PARTS = 5;

describe('a run whose history is longer than an answer of the server may be', () => {
  let connection: Connection;
  let gcore: ConnectedGcoreWorkflows;

  beforeAll(async () => {
    connection = await Connection.connect({ address: temporalAddress() });
    gcore = await connectGcoreWorkflows();
  });

  afterAll(async () => {
    await gcore.close();
    await connection.close();
  });

  /** What a worker writes into it is of this size too: corrected inputs, and chunks of items. */
  async function longRun(requestId: string) {
    const workflowId = `modify-kv-store/default/${requestId}`;
    const handle = await new Client({ connection }).workflow.start(Operation.modifyKvStore, {
      workflowId,
      taskQueue: `none-${requestId}`,
      args: [{ storeId: 1, items }],
    });
    for (let part = 0; part < PARTS; part++) await handle.signal('part', PART);
    return handle;
  }

  it('is the run of its request, and of no other', async () => {
    const requestId = randomUUID();
    await longRun(requestId);
    const start = (storeId: number) =>
      gcore.start(Operation.modifyKvStore, { requestId, input: { storeId, items: [...items] } });

    expect(await start(1)).toMatchObject({ outcome: 'joined' });
    await expect(start(2)).rejects.toThrow(RequestConflictError);
  });

  it('shows its beginning and its end', async () => {
    const run = await longRun(randomUUID());
    await run.terminate('for a test');

    const history = await gcore.history(run.workflowId, 1_000);
    const { facts } = await gcore.explain(run.workflowId, { asksRun: false });

    expect(history).toMatchObject({ input: { value: { storeId: 1 } }, isCut: true });
    expect(facts.past.terminated).toMatchObject({ reason: 'for a test' });
  });

  it('starts again with its input', async () => {
    const run = await longRun(randomUUID());
    await run.terminate();

    const { runId } = await gcore.retry(run.workflowId);

    expect(await gcore.history({ workflowId: run.workflowId, runId }, 1_000)).toMatchObject({
      input: { value: { storeId: 1 } },
    });
  });
});
