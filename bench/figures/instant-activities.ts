import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';

import type {
  ApiActivityGroups,
  StampedReads,
  WatchActivities,
} from '../../src/activities/index.js';
import type { InstanceView } from '../../src/activities/instances.js';
import type { TaskView } from '../../src/activities/tasks.js';

/** As an account worker registers them. */
type Calls = Pick<ApiActivityGroups['mutations'], 'createInstance'> &
  Pick<StampedReads<ApiActivityGroups['reads']>, 'getInstance' | 'getTask'>;

/** As in production, the activity does not end in the workflow task that begins it. */
const WATCH_MS = 50;

/** The activities of a run without problems, without HTTP. A task ends after a number of looks. */
export function createInstantActivities(looks: number): { calls: Calls; waits: WatchActivities } {
  const lefts = new Map<string, number>();
  const end = (id: string): TaskView => toTask(id, 'FINISHED');
  return {
    calls: {
      createInstance: () => Promise.resolve({ taskIds: [randomUUID()] }),
      getTask({ taskId }) {
        const left = (lefts.get(taskId) ?? looks) - 1;
        lefts.set(taskId, left);
        if (left > 0) return stamped(toTask(taskId, 'RUNNING'));
        lefts.delete(taskId);
        return stamped(end(taskId));
      },
      getInstance: ({ instanceId }) => stamped(toInstance(instanceId)),
    },
    waits: {
      async watchTask({ taskId }) {
        await delay(WATCH_MS);
        const task = end(taskId);
        return {
          ...task,
          seen: { readAt: Date.now(), instance: toInstance(task.created.instances.join()) },
        };
      },
    },
  };
}

function stamped<R>(result: R): Promise<{ result: R; readAt: number }> {
  return Promise.resolve({ result, readAt: Date.now() });
}

function toInstance(id: string): InstanceView {
  return {
    id,
    name: 'web-1',
    status: 'ACTIVE',
    flavor: 'g2-standard-2-4',
    creatorTaskId: id,
    addresses: [{ network: 'pub_net', address: '240.18.0.2', type: 'fixed' }],
    publicAddress: '240.18.0.2',
    volumeIds: [id],
    marker: `default/${id}`,
  };
}

function toTask(id: string, state: string): TaskView {
  const created = { instances: [randomUUID()], volumes: [randomUUID()], floatingIps: [] };
  return {
    id,
    type: 'create_vm',
    state,
    error: undefined,
    created: state === 'FINISHED' ? created : { instances: [], volumes: [], floatingIps: [] },
  };
}
