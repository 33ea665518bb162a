import { describe, expect, it } from '@jest/globals';

import { CREATE_INSTANCE_TASKS } from '../../src/contract/wire/tasks.js';
import { CROWD, crowdedTasks } from './crowded-tasks.js';
import { inActivity } from '../support/http/in-activity.js';
import { createScriptedApi, json } from '../support/http/scripted-api.js';

const PLACE = { projectId: 1, regionId: 1 };
const MARKER = 'default/order-1';

describe('listCreateTasks', () => {
  const MAKER = 'space/run';
  const mine = { 'workflow-request': MARKER, 'workflow-run': MAKER };
  const WINDOW = { name: undefined, from: '2026-01-01T00:00:00Z', to: '2026-01-02T00:00:00Z' };

  function listed(tags: unknown) {
    const task = { id: 'task-1', task_type: 'create_vm', state: 'ERROR', created_resources: null };
    const results = [{ ...task, data: { name: 'web', password: 'hunter2', tags } }];
    const { activities } = createScriptedApi(() => json({ count: 1, results }));
    const input = { ...PLACE, ...WINDOW, marker: MARKER, maker: MAKER };
    return inActivity(() => activities.listCreateTasks(input));
  }

  it.each([
    ['a map', mine],
    ['a list', Object.entries(mine).map(([key, value]) => ({ key, value }))],
  ])(
    'knows a task of this run by its tags as %s, and returns nothing else of `data`',
    async (_, tags) => {
      const tasks = await listed(tags);

      expect(tasks).toMatchObject([{ id: 'task-1', isOfRun: true }]);
      expect(JSON.stringify(tasks)).not.toMatch(/hunter2|workflow-r/);
    },
  );

  it.each([
    ['no tags', undefined],
    ['tags of another form', 'workflow-request'],
    ['the marker alone', { 'workflow-request': MARKER }],
    ['another run', { ...mine, 'workflow-run': 'space/other' }],
    ['another request', { ...mine, 'workflow-request': 'default/other' }],
  ])('does not take a task with %s for one of this run', async (_, tags) => {
    const [task] = await listed(tags);

    expect(task?.id).toBe('task-1');
    expect(task).not.toHaveProperty('isOfRun');
  });

  it.each(CREATE_INSTANCE_TASKS)('finds a task of the type %s, once', async (type) => {
    const row = { id: 'task-1', task_type: type, state: 'RUNNING', data: { name: 'web' } };
    const answers = [
      ({ url }: Request) => new URL(url).searchParams.get('task_type') === type,
      // An API that ignores the filter.
      () => true,
    ];
    for (const isListed of answers) {
      const { activities } = createScriptedApi((request) =>
        json({ count: 0, results: isListed(request) ? [row] : [] }),
      );

      const tasks = await inActivity(() =>
        activities.listCreateTasks({
          ...PLACE,
          ...WINDOW,
          name: 'web',
          marker: 'm',
          maker: 'maker-1',
        }),
      );

      expect(tasks.map((task) => task.type)).toEqual([type]);
    }
  });

  it.each([
    ['no data', {}],
    ['data without a name', { data: {} }],
    ['an empty name', { data: { name: '' } }],
    ['a name of another form', { data: { name: null } }],
  ])('keeps a task with %s: it may be of any name', async (_, said) => {
    const rows = [
      { id: 'task-1', task_type: 'create_vm', state: 'RUNNING', ...said },
      { id: 'task-2', task_type: 'create_vm', state: 'RUNNING', data: { name: 'other' } },
    ];
    const { activities } = createScriptedApi(() => json({ count: 2, results: rows }));
    const input = { ...PLACE, ...WINDOW, name: 'web', marker: MARKER, maker: MAKER };

    const tasks = await inActivity(() => activities.listCreateTasks(input));

    expect(tasks.map(({ id }) => id)).toEqual(['task-1']);
  });

  it('finds the task of the run among thousands for the same name, and says that others go on', async () => {
    const { activities } = createScriptedApi(crowdedTasks);

    const tasks = await inActivity(() =>
      activities.listCreateTasks({
        ...PLACE,
        ...WINDOW,
        name: 'web',
        marker: CROWD.marker,
        maker: 'maker-1',
      }),
    );

    expect(tasks).toMatchObject([
      { id: CROWD.own, state: 'FINISHED' },
      { state: 'RUNNING', created: { instances: [] } },
    ]);
  });
});

describe('hasActiveTasks', () => {
  const row = (type: string) => ({ id: 'task-1', task_type: type, state: 'RUNNING' });

  it.each([
    ['update_ddos_profile', true],
    ['delete_ddos_profile', false],
  ])('finds a task behind a thousand others: of %s, %p', async (type, isFound) => {
    const { activities } = createScriptedApi(({ url }) => {
      const { searchParams } = new URL(url);
      const wanted = searchParams.get('task_type');
      const others = Array.from({ length: 1_000 }, () => row('create_vm'));
      if (wanted === null) return json({ count: 1_001, results: others });
      return json({ count: 0, results: wanted === 'update_ddos_profile' ? [row(wanted)] : [] });
    });

    const isActive = await inActivity(() =>
      activities.hasActiveTasks({ ...PLACE, types: [type], from: '2026-01-01T00:00:00Z' }),
    );

    expect(isActive).toBe(isFound);
  });
});

describe('a search for tasks by time', () => {
  const RECORDED = '2026-01-01T12:00:00Z';
  const listed = (aheadMs: number) =>
    createScriptedApi(() =>
      json({ count: 0, results: [] }, 200, { date: new Date(Date.now() + aheadMs).toUTCString() }),
    );
  const windowOf = (url: URL | undefined) =>
    ['from_timestamp', 'to_timestamp'].map((name) => url?.searchParams.get(name) ?? null);

  it('goes by the clock of the API, also when its first answer shows that clock', async () => {
    const { activities, requests } = listed(-7_200_000);

    await inActivity(() => activities.hasActiveTasks({ ...PLACE, types: [], from: RECORDED }));

    const [first, second] = requests.map(({ url }) => windowOf(url)[0]);
    expect(first).toBe('2026-01-01T11:59:00.000Z');
    expect(Date.parse(second ?? '')).toBeLessThanOrEqual(Date.parse('2026-01-01T09:59:01Z'));
    expect(requests).toHaveLength(2);
  });

  it('is a minute longer at each end when the clocks agree', async () => {
    const { activities, requests } = listed(0);
    const search = {
      ...PLACE,
      name: 'web',
      marker: 'm',
      maker: 'maker-1',
      from: RECORDED,
      to: RECORDED,
    };

    await inActivity(() => activities.listCreateTasks(search));

    // One request for each type of task.
    const window = ['2026-01-01T11:59:00.000Z', '2026-01-01T12:01:00.000Z'];
    expect(requests.map(({ url }) => windowOf(url))).toEqual([window, window]);
  });
});

describe('listMakeTasks', () => {
  it('has room for those that may be of the run, however many others have ended', async () => {
    const row = (id: string, state: string, rest: object = {}) => ({
      id,
      task_type: 'create_volume',
      state,
      ...rest,
    });
    const made = { created_resources: { volumes: ['v-1'] } };
    const ended = Array.from({ length: 60 }, (_, at) => row(`failed-${at}`, 'ERROR'));
    const results = [
      ...ended,
      row('made', 'FINISHED', made),
      row('other', 'FINISHED', { ...made, data: { name: 'web' } }),
      row('open', 'RUNNING'),
      row('own', 'ERROR', { data: { tags: { 'workflow-request': MARKER, 'workflow-run': 'r' } } }),
    ];
    const { activities } = createScriptedApi(() => json({ count: results.length, results }));

    const tasks = await inActivity(() =>
      activities.listMakeTasks({
        ...PLACE,
        from: '2026-01-01T00:00:00Z',
        to: '2026-01-02T00:00:00Z',
        type: 'create_volume',
        name: 'data',
        marker: MARKER,
        maker: 'r',
      }),
    );

    const ids = tasks.map(({ id }) => id);
    expect(ids.slice(0, 3)).toEqual(['own', 'open', 'made']);
    expect(ids).toHaveLength(50);
  });
});
