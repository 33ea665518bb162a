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

/** The heartbeat timeout of a watch, and a look. */
const PROMISED_MS = 90_000;

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
  it.concurrent('ends with the process, and what is left is looked for once', () =>
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
      const activities = (events ?? []).flatMap(
        ({ activityTaskScheduledEventAttributes: scheduled }) =>
          scheduled?.activityType?.name ?? [],
      );
      // It has closed its polls.
      expect(activities).toEqual(['holdWatches', 'repeatWatches']);
      await close();
    }, REAL_TIME),
  );

  it.concurrent(
    'runs out while the process stands still, and another one begins when it wakes up',
    () =>
      inFaultWorld(async (world) => {
        const { client, close } = await connectTo(world);
        const { child } = await world.startWorker();
        const { run, watch } = await startWatched(client);
        const identity = (await watch())?.by ?? '';
        const isHeld = async () => {
          const [lease] = await leasesOf(client, identity);
          return lease?.raw.pendingActivities?.some(
            ({ activityId }) => activityId === WATCH_LEASE_ACTIVITY,
          );
        };
        await until('the process is heard', async () => (await isHeld()) === true);

        child.kill('SIGSTOP');
        await until('the lease has run out', async () => (await isHeld()) === false);
        child.kill('SIGCONT');
        await until('the process watches as another one', async () => {
          const query = `WorkflowType = "${LEASE_WATCHES}" AND WorkflowId != "watches/${identity}"`;
          return (await client.workflow.count(query)).count > 0;
        });
        await run.result();

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

        // After ten seconds the SDK drops the end of the watch, and nobody misses it for a minute.
        await interruptTemporal(world, { seconds: 11, meanwhile: gate.open });
        const since = performance.now();
        await expect(run.result()).resolves.toHaveProperty('instanceId');

        expect(performance.now() - since).toBeLessThan(PROMISED_MS);
        await close();
      },
      { ...REAL_TIME, timeScale: 0.0001 },
    ),
  );
});

describe('a lease that workers of several accounts share', () => {
  it('outlives a worker that leaves, and ends with the last one', () =>
    inScenario({}, async ({ client, connectNative, taskQueue }) => {
      const lease = createWatchLease({
        connection: await connectNative(),
        namespace: 'default',
        workflowTaskQueue: taskQueue,
      });
      const [one, another] = await Promise.all([lease.join(), lease.join()]);
      const { identity } = one;
      expect(another.identity).toBe(identity);
      const state = async () => (await leasesOf(client, identity)).map(stateOf)[0];
      await until('it is held', async () => (await state())?.attempts?.[0] === 1);

      await one.leave();
      expect(another.isHeld()).toBe(true);
      expect(await state()).toMatchObject({ status: 'RUNNING' });

      await another.leave();
      await until('it has ended', async () => (await state())?.status === 'COMPLETED');
      const next = await lease.join();
      expect(next.identity).not.toBe(identity);
      await next.leave();
    }));

  it('is lost as a whole when a worker fails, and the next one has another identity', () =>
    inScenario({}, async ({ client, connectNative, taskQueue }) => {
      const lease = createWatchLease({
        connection: await connectNative(),
        namespace: 'default',
        workflowTaskQueue: taskQueue,
      });
      const [one, another] = await Promise.all([lease.join(), lease.join()]);

      one.lose();
      expect(another.isHeld()).toBe(false);
      const next = await lease.join();
      expect(next.isHeld()).toBe(true);
      expect(next.identity).not.toBe(one.identity);

      await Promise.all([one, another, next].map((term) => term.leave()));
      const lost = () => leasesOf(client, one.identity);
      // A list lags.
      await until('it is listed', async () => (await lost()).length > 0);
      expect(await lost()).toMatchObject([{ status: { name: 'RUNNING' } }]);
    }));

  it('is lost when somebody ends it by hand', () =>
    inScenario({}, async ({ client, connectNative, taskQueue }) => {
      const lease = createWatchLease({
        connection: await connectNative(),
        namespace: 'default',
        workflowTaskQueue: taskQueue,
      });
      const term = await lease.join();

      await client.workflow.getHandle(`watches/${term.identity}`).terminate();
      await until('the process knows it', () => Promise.resolve(!term.isHeld()));

      await term.leave();
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
