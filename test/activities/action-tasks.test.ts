import { describe, expect, it } from '@jest/globals';

import type { TaskSubject } from '../../src/activities/action-tasks.js';
import { inActivity } from '../support/http/in-activity.js';
import { createScriptedApi, json } from '../support/http/scripted-api.js';

const PLACE = { projectId: 1, regionId: 76 };
const ID = '9f1c2d3e-4b5a-4c6d-8e7f-0a1b2c3d4e5f';
const INSTANCE: TaskSubject = { kind: 'instance', id: ID };
const WINDOW = { from: '2026-05-01T12:00:00.000Z', to: '2026-05-01T12:01:00.000Z' };

const row = (id: string, data: unknown, change: object = {}) => ({
  id,
  task_type: 'stop_vm',
  state: 'FINISHED',
  created_on: '2026-05-01T12:00:10',
  data,
  ...change,
});

describe('listActionTasks', () => {
  const list = async (results: readonly object[], of: TaskSubject = INSTANCE) => {
    const { activities, requests } = createScriptedApi(() =>
      json({ count: results.length, results }),
    );
    const found = await inActivity(() =>
      activities.listActionTasks({ ...PLACE, ...WINDOW, of, type: 'stop_vm' }),
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

  it('keeps those of the subject and those that name none, and nothing of their data', async () => {
    const { found } = await list([
      row('own', { instance_id: ID, password: 'canary' }),
      row('own too', { instance_uuid: ID.toUpperCase() }, { state: 'RUNNING' }),
      row('of another', { instance_id: 'other' }),
      row('of another type', { instance_id: ID }, { task_type: 'start_vm' }),
      row('unclear', { flavor: 'canary' }),
      row('without data', null),
      row('with odd data', { instance_id: 7 }),
      row('with an empty id', { instance_id: '' }),
    ]);

    expect(found).toEqual([
      { id: 'own', state: 'FINISHED', isOwn: true },
      { id: 'own too', state: 'RUNNING', isOwn: true },
      { id: 'unclear', state: 'FINISHED' },
      { id: 'without data', state: 'FINISHED' },
      { id: 'with odd data', state: 'FINISHED' },
      { id: 'with an empty id', state: 'FINISHED' },
    ]);
  });

  it('reads whom a task names beside fields that are null', async () => {
    const beside = { volume_id: null, floatingip_id: null };
    const { found } = await list([
      row('own', { instance_id: ID, ...beside }),
      row('own too', { instance_id: null, instance_uuid: ID, ...beside }),
      row('of another', { instance_id: 'other', ...beside }),
      row('unclear', { instance_id: null, ...beside }),
    ]);

    expect(found).toEqual([
      { id: 'own', state: 'FINISHED', isOwn: true },
      { id: 'own too', state: 'FINISHED', isOwn: true },
      { id: 'unclear', state: 'FINISHED' },
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

  it('tells the tasks of a volume by the volume, although they name an instance too', async () => {
    const of = { kind: 'volume', id: ID } as const;
    const { found } = await list(
      [
        row('own', { volume_id: ID.toUpperCase(), instance_id: 'other' }),
        row('of another', { volume_id: 'other', instance_id: ID }),
        row('unclear', { instance_id: ID }),
      ],
      of,
    );

    expect(found).toEqual([
      { id: 'own', state: 'FINISHED', isOwn: true },
      { id: 'unclear', state: 'FINISHED' },
    ]);
  });
});
