import { describe, expect, it } from '@jest/globals';
import { ApplicationFailure } from '@temporalio/common';

import type { InstanceView } from '../../src/activities/instances.js';
import type { TaskView } from '../../src/activities/tasks.js';
import { createWatchActivities } from '../../src/activities/watch.js';
import { inActivity } from '../support/http/in-activity.js';

const PLACE = { projectId: 1, regionId: 1 };
const WATCHED = { taskId: 't', type: 'create_vm', since: 0 };

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
    reads: { getInstance, listDdosProfiles: () => Promise.resolve([]) },
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

    expect(ended).toEqual({ ...task, seen: { instance: instance('i-1') } });
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
});
