import { randomUUID } from 'node:crypto';

import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Client, Connection } from '@temporalio/client';
import { NativeConnection } from '@temporalio/worker';

import { createCodec } from '../../src/codec/codec.js';
import { countRuns } from '../../src/client/count-runs.js';
import { listRuns } from '../../src/client/list-runs.js';
import { resolveTemporalExecutable } from '../../src/dev/temporal-executable.js';
import { startTemporalServer, type TemporalServer } from '../../src/dev/temporal-server.js';
import { ItemState, PAUSED_IN_TEMPORAL } from '../../src/contract/wire/batch.js';
import { Standing } from '../../src/engine/http/send-in-turn.js';
import { createBatchRuns } from '../../src/worker/batch/create-batch-runs.js';
import { createEarlierRuns } from '../../src/worker/earlier-runs.js';
import { until } from '../support/timing/until.js';

/** A server lets nobody pause a workflow unless that is switched on. */
const LETS_PAUSE = { 'frontend.WorkflowPauseEnabled': true };
const WORKFLOW_ID = 'list-videos/default/paused';

let server: TemporalServer;
let client: Client;

beforeAll(async () => {
  const { path: executable } = await resolveTemporalExecutable({
    cliPath: process.env['TEMPORAL_CLI_PATH'],
    path: process.env['PATH'],
  });
  server = await startTemporalServer({ executable, dynamicConfig: LETS_PAUSE });
  const { address, namespace } = server;
  client = new Client({ connection: await Connection.connect({ address }), namespace });
  // No worker serves it: it stays open.
  const start = { taskQueue: 'nobody', args: [{}] };
  await client.workflow.start('listVideos', { ...start, workflowId: `${WORKFLOW_ID}-not` });
  await client.workflow.start('listVideos', { ...start, workflowId: WORKFLOW_ID });
  await client.workflowService.pauseWorkflowExecution({
    namespace,
    workflowId: WORKFLOW_ID,
    requestId: randomUUID(),
    reason: 'by hand',
  });
  const query = 'ExecutionStatus = "Paused"';
  await until('the server lists it as paused', async () => {
    const { count } = await client.workflow.count(query);
    return count === 1;
  });
});

afterAll(async () => {
  await client.connection.close();
  await server.close();
});

describe('a run that Temporal itself has paused', () => {
  it.each([{ open: true }, { phase: 'running' as const }])(
    'is in the list of %j',
    async (filter) => {
      const listed = await listRuns(client, filter);

      expect(listed.map(({ workflowId }) => workflowId)).toContain(WORKFLOW_ID);
    },
  );

  it('counts as running', async () => {
    expect(await countRuns(client, {})).toEqual([{ phase: 'running', count: 2 }]);
  });

  it('is a paused item of its batch', async () => {
    const runs = createBatchRuns({
      client: () => client,
      taskQueue: 'nobody',
      standing: () => Promise.resolve(Standing.current),
    });
    const terms = { operation: 'listVideos', account: 'default' } as const;
    const { runId } = await client.workflow.getHandle(WORKFLOW_ID).describe();
    const item = { line: 3, id: 'paused', runId, state: ItemState.open };

    expect([...(await runs.suspects(terms, [item]))]).toEqual([3]);
    const seen = await runs.look(terms, item);
    expect(seen).toMatchObject({ state: ItemState.paused, class: PAUSED_IN_TEMPORAL });
    expect([...(await runs.suspects(terms, [{ ...item, ...seen }]))]).toEqual([]);
  });

  it('is no earlier run of its request', async () => {
    const connection = await NativeConnection.connect({ address: server.address });
    const codec = createCodec(undefined);
    const { namespace } = server;
    const runsBefore = () => Promise.resolve([]);
    const earlier = createEarlierRuns({ connection, namespace, codec, runsBefore });

    expect(await earlier(WORKFLOW_ID)).toEqual({ digests: [] });
    await connection.close();
  });
});
