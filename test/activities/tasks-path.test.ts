import { describe, expect, it } from '@jest/globals';

import { createApiClient } from '../../src/activities/gcore-api.js';
import { createTaskReads } from '../../src/activities/tasks.js';
import { CREATE, createCloud, instanceBody } from '../support/worlds/simulated-cloud.js';

async function readTaskAt(tasksPath: string | undefined) {
  const cloud = createCloud();
  const taskId = await cloud.start('POST', CREATE, instanceBody());
  const api = createApiClient({
    baseUrl: 'http://simulator',
    apiKey: 'simulator-key',
    fetch: cloud.simulator.fetch,
    callContext: () => ({ cancelled: new AbortController().signal, workflowId: undefined }),
    ...(tasksPath !== undefined && { tasksPath }),
  });
  const reads = createTaskReads({ api });
  const task = await reads.getTask({ taskId });
  const active = await reads.listActiveTaskIds();
  const paths = cloud.simulator.requests.slice(1).map(({ path }) => path);
  return { isFound: task.id === taskId && active.includes(taskId), paths, taskId };
}

describe('the path of the tasks', () => {
  it.each([
    ['as the API has it', undefined, '/cloud/v1/tasks'],
    ['as the worker is told', '/v1/tasks', '/v1/tasks'],
  ])('is %s', async (_, tasksPath, path) => {
    const { isFound, paths, taskId } = await readTaskAt(tasksPath);

    expect(isFound).toBe(true);
    expect(paths).toEqual([`${path}/${taskId}`, path]);
  });
});
