import { setTimeout as delay } from 'node:timers/promises';

import { describe, expect, it } from '@jest/globals';
import { ApplicationFailure } from '@temporalio/common';

import type { InstanceView } from '../../src/activities/instances.js';
import type { TaskView } from '../../src/activities/tasks.js';
import { createPollActivities, createWatchActivities } from '../../src/activities/watch.js';
import { DEFAULT_POLL_POLICY } from '../../src/contract/wire/tasks.js';
import { createActivityEnvironment, inActivity } from '../support/http/in-activity.js';
import { createGate } from '../support/timing/gate.js';
import { withClockSetBy } from '../support/timing/set-clock.js';
import { until } from '../support/timing/until.js';

const PLACE = { projectId: 1, regionId: 1 };
const WATCHED = { taskId: 't', type: 'create_vm', since: 0 };
const refuse = () => Promise.reject(new Error('not asked for'));
const NO_READS = {
  getInstance: refuse,
  getVolume: refuse,
  getMarkedVolume: refuse,
  getSnapshot: refuse,
  getPlacedFloatingIp: refuse,
  listInterfaces: refuse,
  listDdosProfiles: refuse,
  listExistingParts: refuse,
};

function instance(id: string): InstanceView {
  const empty = { flavor: undefined, creatorTaskId: undefined, marker: undefined };
  return {
    ...empty,
    id,
    name: 'web',
    status: 'ACTIVE',
    addresses: [],
    publicAddress: null,
    volumeIds: [],
  };
}

/** The watcher of an API in which one task has just ended. */
function watchEnd(
  state: string,
  instances: string[],
  getInstance = ({ instanceId }: { instanceId: string }) => Promise.resolve(instance(instanceId)),
) {
  const created = { instances, volumes: [], floatingIps: [] };
  const task: TaskView = { id: 't', type: 'create_vm', state, error: undefined, created };
  const activities = createWatchActivities({
    watcher: { watch: () => Promise.resolve(task), trouble: () => undefined },
    secretsOfRun: () => Promise.resolve(undefined),
    reads: { ...NO_READS, getInstance },
    readWithinMs: 100,
  });
  return {
    task,
    watch: () =>
      inActivity(() => activities.watchTask({ ...WATCHED, thenRead: { instanceIn: PLACE } })),
  };
}

describe('watchTask', () => {
  it('reads what the task has made as soon as it has finished', async () => {
    const { task, watch } = watchEnd('FINISHED', ['i-1']);

    const ended = await watch();

    expect(ended).toEqual({
      ...task,
      seen: { readAt: expect.any(Number), instance: instance('i-1') },
    });
  });

  it.each([
    ['a task that has failed', 'ERROR', ['i-1']],
    ['a task that names no instance', 'FINISHED', []],
    ['a task that names several', 'FINISHED', ['i-1', 'i-2']],
  ])('reads nothing after %s', async (_, state, instances) => {
    const { task, watch } = watchEnd(state, instances);

    const ended = await watch();

    expect(ended).toEqual(task);
  });

  it('reports the end also when that read fails: the run reads by itself', async () => {
    const outage = ApplicationFailure.retryable('503', 'ServiceUnavailable');
    const { task, watch } = watchEnd('FINISHED', ['i-1'], () => Promise.reject(outage));

    const ended = await watch();

    expect(ended).toEqual(task);
  });

  it('reports the end also when that read does not come to its turn', async () => {
    const { task, watch } = watchEnd('FINISHED', ['i-1'], () => new Promise(() => undefined));

    const ended = await watch();

    expect(ended).toEqual(task);
  });
});

describe('a trouble of the watcher', () => {
  it('is said by few of many watches at a time', async () => {
    const outage: { trouble?: string } = {};
    const { activities, stop } = createOpenWatches(() => outage.trouble);
    const said = new Set<number>();
    const ends = Array.from({ length: 1_200 }, (_, index) => {
      const environment = createActivityEnvironment({ heartbeatTimeoutMs: 300 });
      environment.on('heartbeat', (details) => {
        if (details !== undefined) said.add(index);
      });
      return inActivity(() => activities.watchTask(WATCHED), environment);
    });

    outage.trouble = '503';
    const from = performance.now();
    await until('some say it', () => Promise.resolve(said.size >= 500));
    await delay(500);
    const seconds = (performance.now() - from) / 1_000;

    expect(said.size).toBeGreaterThan(500);
    expect(said.size).toBeLessThanOrEqual(501 + 50 * seconds);
    stop();
    await Promise.allSettled(ends);
  });
});

/** Watches that go on until `stop`. */
function createOpenWatches(trouble: () => string | undefined) {
  const { task } = watchEnd('FINISHED', []);
  const gate = createGate();
  const activities = createWatchActivities({
    watcher: { watch: () => gate.opened.then(() => task), trouble },
    secretsOfRun: () => Promise.resolve(undefined),
    reads: NO_READS,
  });
  return { activities, stop: gate.open };
}

/** Starts a wait of an attempt that the server has scheduled at this time of the run. */
async function waitedMs(scheduledAt: number): Promise<number> {
  const told: number[] = [];
  const { task } = watchEnd('FINISHED', []);
  const activities = createWatchActivities({
    watcher: {
      watch: (watched) => {
        told.push(watched.waitedMs);
        return Promise.resolve(task);
      },
      trouble: () => undefined,
    },
    secretsOfRun: () => Promise.resolve(undefined),
    reads: NO_READS,
  });
  const environment = createActivityEnvironment({
    currentAttemptScheduledTimestampMs: scheduledAt,
  });
  await inActivity(() => activities.watchTask(WATCHED), environment);
  return told[0] ?? Number.NaN;
}

describe('the time that a run has waited', () => {
  it.each([-3_600_000, 0, 3_600_000])(
    'is not moved by a clock of the worker that is %d ms off',
    async (offMs) => {
      const waited = await withClockSetBy(offMs, () => waitedMs(WATCHED.since + 20_000));

      expect(waited).toBeGreaterThanOrEqual(20_000);
      expect(waited).toBeLessThan(30_000);
    },
  );

  it('decides on the last look of a run without a watcher', async () => {
    const { task } = watchEnd('RUNNING', []);
    const { polls } = createPollActivities({
      reads: { getTask: () => Promise.resolve(task) },
      poll: DEFAULT_POLL_POLICY,
      secretsOfRun: () => Promise.resolve(undefined),
    });
    const look = (scheduledAt: number) =>
      inActivity(
        () => polls.pollTask({ ...WATCHED, giveUpAt: 60_000 }),
        createActivityEnvironment({ currentAttemptScheduledTimestampMs: scheduledAt }),
      );

    await expect(look(30_000)).rejects.toMatchObject({ type: 'TaskPending' });
    expect(await look(60_000)).toEqual(task);
  });
});
