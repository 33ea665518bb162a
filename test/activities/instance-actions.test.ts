import { describe, expect, it } from '@jest/globals';

import { inActivity } from '../support/http/in-activity.js';
import { createScriptedApi, json } from '../support/http/scripted-api.js';

const PLACE = { projectId: 1, regionId: 76 };
const ID = '9f1c2d3e-4b5a-4c6d-8e7f-0a1b2c3d4e5f';
const TARGET = { ...PLACE, instanceId: ID };
const WINDOW = { from: '2026-05-01T12:00:00.000Z', to: '2026-05-01T12:01:00.000Z' };

const row = (id: string, data: unknown, change: object = {}) => ({
  id,
  task_type: 'stop_vm',
  state: 'FINISHED',
  created_on: '2026-05-01T12:00:10',
  data,
  ...change,
});

describe('a change of an instance', () => {
  it.each([
    [
      'resizeInstance',
      { flavor: 'g2-standard-4-8' },
      `/cloud/v1/instances/1/76/${ID}/changeflavor`,
      { flavor_id: 'g2-standard-4-8' },
    ],
    [
      'setInstancePower',
      { action: 'reboot_hard' },
      `/cloud/v2/instances/1/76/${ID}/action`,
      { action: 'reboot_hard' },
    ],
  ] as const)(
    '%s is one POST, and answers with its tasks',
    async (...[name, input, path, body]) => {
      const { activities, requests } = createScriptedApi(() => json({ tasks: ['task-1'] }));

      const answer = await inActivity(() =>
        name === 'resizeInstance'
          ? activities.resizeInstance({ ...TARGET, ...input })
          : activities.setInstancePower({ ...TARGET, ...input }),
      );

      expect(answer).toEqual({ taskIds: ['task-1'] });
      expect(requests).toMatchObject([{ method: 'POST', body }]);
      expect(requests[0]?.url.pathname).toBe(path);
    },
  );
});

describe('listInstanceTasks', () => {
  const list = async (results: readonly object[]) => {
    const { activities, requests } = createScriptedApi(() =>
      json({ count: results.length, results }),
    );
    const found = await inActivity(() =>
      activities.listInstanceTasks({ ...TARGET, ...WINDOW, type: 'stop_vm' }),
    );
    return { found, requests };
  };

  it('asks for the tasks of the type in the time', async () => {
    const { requests } = await list([]);

    // A minute more on both sides, because clocks differ.
    expect(Object.fromEntries(requests[0]?.url.searchParams ?? [])).toMatchObject({
      project_id: '1',
      region_id: '76',
      task_type: 'stop_vm',
      from_timestamp: '2026-05-01T11:59:00.000Z',
      to_timestamp: '2026-05-01T12:02:00.000Z',
    });
  });

  it('keeps those of the instance and those that name none, and nothing of their data', async () => {
    const { found } = await list([
      row('own', { instance_id: ID, password: 'canary' }),
      row('own too', { instance_uuid: ID.toUpperCase() }, { state: 'RUNNING' }),
      row('of another', { instance_id: 'other' }),
      row('of another type', { instance_id: ID }, { task_type: 'start_vm' }),
      row('unclear', { flavor: 'canary' }),
      row('without data', null),
      row('with odd data', { instance_id: 7 }),
    ]);

    expect(found).toEqual([
      { id: 'own', state: 'FINISHED', isOfInstance: true },
      { id: 'own too', state: 'RUNNING', isOfInstance: true },
      { id: 'unclear', state: 'FINISHED' },
      { id: 'without data', state: 'FINISHED' },
      { id: 'with odd data', state: 'FINISHED' },
    ]);
  });

  it('says which may be older than the time, and which do not say when they were made', async () => {
    const own = { instance_id: ID };
    const { found } = await list([
      row('before', own, { created_on: '2026-05-01T11:59:54' }),
      row('at the time', own, { created_on: '2026-05-01T11:59:56' }),
      row('undated', own, { created_on: null }),
    ]);

    expect(found.map(({ id, mayBeOlder }) => [id, mayBeOlder])).toEqual([
      ['before', true],
      ['at the time', undefined],
      ['undated', true],
    ]);
  });

  it('names at most fifty that are unclear, and those that go on before the others', async () => {
    const ended = Array.from({ length: 60 }, (_, at) => row(`ended-${at}`, {}));
    const { found } = await list([...ended, row('open', {}, { state: 'RUNNING' })]);

    expect(found).toHaveLength(50);
    expect(found[0]).toEqual({ id: 'open', state: 'RUNNING' });
  });
});
