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

async function createState({ workflowId }: { workflowId: string }, client: Client) {
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
        const run = await gcore.start('provisionInstance', {
          requestId: 'frozen',
          input: provisionInput(),
        });
        const handle = client.workflow.getHandle(run.workflowId);
        await until('its create waits for the server', async () => {
          const state = await createState(run, client);
          return state !== undefined && state !== STARTED;
        });
        worker.child.kill('SIGSTOP');
        await until(
          'the server has handed it over',
          async () => (await createState(run, client)) === STARTED,
        );
        await until('the server has given it up', async () => {
          return (await createState(run, client)) === undefined;
        });
        const sentBefore = creates(simulator);

        worker.child.kill('SIGCONT');
        const { instanceId } = await resultOf(handle);

        const { events } = await handle.fetchHistory();
        const attempts = (events ?? []).filter(
          ({ activityTaskScheduledEventAttributes: scheduled }) =>
            scheduled?.activityType?.name === 'createInstance',
        );
        expect(sentBefore).toBe(0);
        // The run has sent it again: the first attempt was not sent late.
        expect(attempts.length).toBeGreaterThan(1);
        expect(creates(simulator)).toBe(1);
        expect(simulator.inventory().instances.map(({ id }) => id)).toEqual([instanceId]);
      } finally {
        worker.child.kill('SIGKILL');
        await worker.exit;
        await connection.close();
        await api.close();
      }
    }));
});

function creates(simulator: FaultWorld['simulator']): number {
  return simulator.mutations().filter(({ path }) => path === CREATE_PATH).length;
}

async function resultOf(handle: WorkflowHandle): Promise<{ instanceId: string }> {
  const result: unknown = await handle.result();
  if (result instanceof Object && 'instanceId' in result) {
    return { instanceId: String(result.instanceId) };
  }
  throw new Error('the run has no result');
}
