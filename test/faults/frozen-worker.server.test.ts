import { describe, expect, it } from '@jest/globals';
import { Client, Connection, type WorkflowHandle } from '@temporalio/client';
import proto from '@temporalio/proto';

import { CREATE_PATH, provisionInput } from '../support/inputs/provision-input.js';
import { until } from '../support/timing/until.js';
import { startWorkerProcess } from '../support/workers/worker-process.js';
import { inFaultWorld, type FaultWorld } from '../support/worlds/fault-world.js';

const { PENDING_ACTIVITY_STATE_STARTED: STARTED } =
  proto.temporal.api.enums.v1.PendingActivityState;

/** The only worker: the server hands out about one call a second. */
async function startSlowWorker({ address, simulator }: FaultWorld) {
  const api = await simulator.listen();
  const worker = startWorkerProcess({
    GCORE_API_KEY: 'simulator-key',
    GCORE_REQUESTS_PER_SECOND: '1',
    GCORE_RECONCILE_GRACE_SECONDS: '2',
    GCORE_BASE_URL: api.url,
    TEMPORAL_ADDRESS: address,
  });
  await worker.says('Worker is ready');
  return { worker, api };
}

async function createState(workflowId: string, client: Client) {
  const { raw } = await client.workflow.getHandle(workflowId).describe();
  const create = (raw.pendingActivities ?? []).find(
    ({ activityType }) => activityType?.name === 'createInstance',
  );
  return create?.state;
}

describe('a worker that stands still while the server hands it a call', () => {
  it('does not send that call when it wakes up', () =>
    inFaultWorld(async (world) => {
      const { simulator, gcore } = world;
      const { worker, api } = await startSlowWorker(world);
      const connection = await Connection.connect({ address: world.address });
      const client = new Client({ connection });
      try {
        // The queue of calls is longer than a second, so a create waits in it for long enough.
        const ids = await Promise.all(['a', 'b', 'c', 'd'].map((id) => start(gcore, id)));
        const workflowId = await firstWaitingCreate(ids, client);
        worker.child.kill('SIGSTOP');
        await until('the server has handed the create over', async () => {
          return (await createState(workflowId, client)) === STARTED;
        });
        await until('the server has given it up', async () => {
          return (await createState(workflowId, client)) === undefined;
        });
        const sentBefore = creates(simulator, workflowId);

        worker.child.kill('SIGCONT');
        const handle = client.workflow.getHandle(workflowId);
        const { instanceId } = await resultOf(handle);

        const { events } = await handle.fetchHistory();
        const attempts = (events ?? []).filter(
          ({ activityTaskScheduledEventAttributes: scheduled }) =>
            scheduled?.activityType?.name === 'createInstance',
        );
        expect(sentBefore).toBe(0);
        // The run has sent it again: the first attempt was not sent late.
        expect(attempts.length).toBeGreaterThan(1);
        expect(creates(simulator, workflowId)).toBe(1);
        expect(simulator.inventory().instances.map(({ id }) => id)).toContain(instanceId);
      } finally {
        worker.child.kill('SIGKILL');
        await worker.exit;
        await connection.close();
        await api.close();
      }
    }));
});

async function start(gcore: FaultWorld['gcore'], id: string): Promise<string> {
  const request = { requestId: `frozen-${id}`, input: provisionInput() };
  return (await gcore.start('provisionInstance', request)).workflowId;
}

/** The first run whose create waits for the server to hand it out. */
async function firstWaitingCreate(ids: readonly string[], client: Client): Promise<string> {
  let found: string | undefined;
  await until('a create waits for the server', async () => {
    const states = await Promise.all(ids.map((id) => createState(id, client)));
    found = ids.find((_, at) => states[at] !== undefined && states[at] !== STARTED);
    return found !== undefined;
  });
  return found ?? '';
}

function creates(simulator: FaultWorld['simulator'], workflowId: string): number {
  return simulator
    .mutations()
    .filter(({ path, userAgent }) => path === CREATE_PATH && userAgent?.includes(workflowId))
    .length;
}

async function resultOf(handle: WorkflowHandle): Promise<{ instanceId: string }> {
  const result: unknown = await handle.result();
  if (result instanceof Object && 'instanceId' in result) {
    return { instanceId: String(result.instanceId) };
  }
  throw new Error('the run has no result');
}
