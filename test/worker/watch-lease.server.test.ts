import { randomUUID } from 'node:crypto';

import { describe, expect, it } from '@jest/globals';
import { Client, Connection } from '@temporalio/client';

import { WORKFLOW_TASK_QUEUE } from '../../src/contract/wire/names.js';
import { LEASE_WATCHES, WATCH_LEASE_ACTIVITY } from '../../src/engine/core/names.js';
import { createWatchLease } from '../../src/worker/watch-lease.js';
import { provisionInput } from '../support/inputs/provision-input.js';
import { inScenario } from '../support/runs/scenario.js';
import { interruptTemporal } from '../faults/temporal-outage.js';
import { createGate } from '../support/timing/gate.js';
import { until } from '../support/timing/until.js';
import { inFaultWorld, type FaultWorld } from '../support/worlds/fault-world.js';

/** Polls as in production, and tasks take 30 to 60 s. */
const REAL_TIME = {
  timeScale: 2,
  fast: { speed: 1, reconcileGraceMs: 2_000, probeMs: 5_000 },
};

/** The leases of a process, the newest first. */
async function leasesOf(client: Client, identity: string) {
  const query = `WorkflowType = "${LEASE_WATCHES}" AND WorkflowId = "watches/${identity}"`;
  const leases = [];
  for await (const { workflowId, runId } of client.workflow.list({ query })) {
    leases.push(await client.workflow.getHandle(workflowId, runId).describe());
  }
  return leases;
}

const stateOf = ({ status, raw }: Awaited<ReturnType<typeof leasesOf>>[number]) => ({
  status: status.name,
  attempts: raw.pendingActivities?.map(({ attempt }) => attempt),
});

async function startWatched(client: Client) {
  const run = await client.workflow.start('provisionInstance', {
    workflowId: randomUUID(),
    taskQueue: WORKFLOW_TASK_QUEUE,
    args: [provisionInput({ name: 'web-1' })],
  });
  const watch = async () => {
    const { raw } = await run.describe();
    const [pending] = raw.pendingActivities ?? [];
    const isWatch = pending?.activityType?.name === 'watchTask' && pending.lastStartedTime;
    return isWatch ? { by: pending.lastWorkerIdentity ?? '', attempt: pending.attempt } : undefined;
  };
  await until('the task is watched', async () => (await watch()) !== undefined);
  return { run, watch };
}

async function connectTo({ address }: FaultWorld) {
  const connection = await Connection.connect({ address });
  return { client: new Client({ connection }), close: () => connection.close() };
}

// Each has a server of its own, and mostly waits.
describe('the lease of a process that watches', () => {
  it.concurrent('ends with the process, and no watch is taken over', () =>
    inFaultWorld(async (world) => {
      const { client, close } = await connectTo(world);
      const { child, exit } = await world.startWorker();
      const { watch } = await startWatched(client);
      const identity = (await watch())?.by ?? '';
      await until('the process is heard', async () => {
        const [lease] = await leasesOf(client, identity);
        return lease?.raw.pendingActivities?.[0]?.lastStartedTime !== undefined;
      });

      child.kill('SIGTERM');
      await exit;
      await world.startWorker();
      await until('the next process watches', async () => (await watch())?.by !== identity);
      await until('the lease has ended', async () => {
        const [lease] = await leasesOf(client, identity);
        return lease?.status.name === 'COMPLETED';
      });

      const { events } = await client.workflow.getHandle(`watches/${identity}`).fetchHistory();
      const attempts = (events ?? []).flatMap(
        ({ activityTaskStartedEventAttributes: started }) => started?.attempt ?? [],
      );
      expect(attempts).toEqual([1]);
      await close();
    }, REAL_TIME),
  );

  it.concurrent('runs out while the process stands still, and begins anew when it wakes up', () =>
    inFaultWorld(async (world) => {
      const { client, close } = await connectTo(world);
      const { child } = await world.startWorker();
      const { run, watch } = await startWatched(client);
      const identity = (await watch())?.by ?? '';
      const lease = async () => (await leasesOf(client, identity)).map(stateOf)[0];
      await until('the process is heard', async () => (await lease())?.attempts?.[0] === 1);

      child.kill('SIGSTOP');
      await until('the lease has run out', async () => (await lease())?.attempts?.[0] !== 1);
      child.kill('SIGCONT');
      await until('the process is heard again', async () => (await lease())?.attempts?.[0] === 1);
      await run.result();

      const [, first] = await leasesOf(client, identity);
      expect(first?.status.name).toBe('COMPLETED');
      await close();
    }, REAL_TIME),
  );

  it.concurrent('has a watch repeated whose end the server did not hear', () =>
    inFaultWorld(
      async (world) => {
        const { simulator } = world;
        const { client, close } = await connectTo(world);
        await world.startWorker();
        const gate = createGate();
        simulator.faults.add({
          match: { method: 'GET', path: /^\/cloud\/v1\/tasks\/./ },
          action: { kind: 'delay', until: gate.opened },
        });
        const { run } = await startWatched(client);
        await until('the watcher reads the task', () =>
          Promise.resolve(simulator.inFlight().some(({ path }) => path.includes('/tasks/'))),
        );

        // After ten seconds the SDK drops the end of the watch, and after fifteen the lease runs out.
        await interruptTemporal(world, { seconds: 11, meanwhile: gate.open });

        // The run itself looks after an hour.
        await expect(run.result()).resolves.toHaveProperty('instanceId');
        await close();
      },
      { ...REAL_TIME, timeScale: 0.0001 },
    ),
  );
});

describe('a lease that workers of several accounts share', () => {
  it('begins with the first watch, outlives a worker that fails, and ends with the last one', () =>
    inScenario({}, async ({ client, connectNative, taskQueue }) => {
      const connection = await connectNative();
      const lease = createWatchLease({
        connection,
        namespace: 'default',
        workflowTaskQueue: taskQueue,
      });
      const lost: string[] = [];
      const join = (name: string) =>
        lease.join(() => {
          lost.push(name);
        });
      const [one, another, idle] = [join('one'), join('another'), join('idle')];
      const states = async () => (await leasesOf(client, lease.identity)).map(stateOf);
      expect(await states()).toEqual([]);

      one.hold();
      another.hold();
      another.hold();
      const held = { status: 'RUNNING', attempts: [1] };
      await until('it is held', async () => (await states())[0]?.attempts?.[0] === 1);
      expect(await states()).toEqual([held]);

      await one.lose(new Error('the worker has failed'));
      const taken = { status: 'COMPLETED', attempts: [] };
      await until('it is held anew', async () => {
        const [newest, before] = await states();
        return before?.status === 'COMPLETED' && newest?.attempts?.[0] === 1;
      });
      expect(await states()).toEqual([held, taken]);
      expect(new Set(lost)).toEqual(new Set(['another']));

      await idle.leave();
      await another.leave();
      await until('it has ended', async () => (await states())[0]?.status === 'COMPLETED');
      expect(await states()).toEqual([taken, taken]);
    }));

  it('lets a worker leave, although another one begins to watch just then', () =>
    inScenario({}, async ({ connectNative, taskQueue }) => {
      const connection = await connectNative();
      const lease = createWatchLease({
        connection,
        namespace: 'default',
        workflowTaskQueue: taskQueue,
      });
      const [one, another] = [lease.join(), lease.join()];
      one.hold();

      const left = one.leave();
      another.hold();

      await expect(left).resolves.toBeUndefined();
      await another.leave();
    }));
});

describe('the workflow of a lease', () => {
  it('waits until its process completes the one activity', () =>
    inScenario({ record: 'lease-watches' }, async ({ client, startRaw }) => {
      const identity = 'a-process';
      const workflowId = `watches/${identity}/${randomUUID()}`;
      const run = await startRaw(LEASE_WATCHES, [{ identity }], workflowId);
      await until('a worker has begun it', async () => {
        const { raw } = await run.describe();
        return raw.pendingActivities?.[0]?.lastStartedTime !== undefined;
      });

      await client.activity.complete({ workflowId, activityId: WATCH_LEASE_ACTIVITY }, undefined);

      await expect(run.result()).resolves.toBeUndefined();
    }));
});
