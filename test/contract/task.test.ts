import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';

import {
  taskIdsSchema,
  timestampSchema,
  taskListSchema,
  taskSchema,
} from '../../src/contract/api/cloud.js';

const EMPTY = { instances: [], volumes: [], floatingips: [], snapshots: [], ddos_profiles: [] };
const NONE = { ...EMPTY, others: {} };

function taskBody(change: Record<string, unknown> = {}) {
  return {
    id: 'task-1',
    task_type: 'create_vm',
    state: 'FINISHED',
    user_id: 1,
    created_on: '2026-05-23T05:07:31',
    error: null,
    created_resources: { instances: ['i-1'], volumes: ['v-1'], floatingips: [] },
    data: { name: 'wf-abc', password: 'canary-password' },
    ...change,
  };
}

describe('taskSchema', () => {
  it('accepts the documented answer', () => {
    const task = taskSchema.parse(taskBody());

    expect(task).toEqual({
      id: 'task-1',
      task_type: 'create_vm',
      state: 'FINISHED',
      created_on: '2026-05-23T05:07:31.000Z',
      error: null,
      created_resources: { ...NONE, instances: ['i-1'], volumes: ['v-1'] },
    });
  });

  it.each<[string, unknown]>([
    ['missing', undefined],
    ['null', null],
    ['empty', {}],
    ['full of nulls', { instances: null, volumes: null, floatingips: null }],
    ['full of empty lists', EMPTY],
    ['full of what is no list of ids', { ports: null, routers: {}, 'a b': ['x'], taps: [[1]] }],
  ])('reads created_resources that are %s as none', (_title, created) => {
    const task = taskSchema.parse(taskBody({ created_resources: created }));

    expect(task.created_resources).toEqual(NONE);
  });

  it('keeps the first ids of kinds that no operation reads', () => {
    const ids = Array.from({ length: 30 }, (_, at) => at);
    const created = { networks: ['n-1'], routers: ids, k3: [1], k4: [1], k5: [1], k6: [1] };
    const { others } = taskSchema.parse(taskBody({ created_resources: created })).created_resources;

    expect(Object.keys(others)).toEqual(['networks', 'routers', 'k3', 'k4', 'k5']);
    expect(others['networks']).toEqual(['n-1']);
    expect(others['routers']).toEqual(ids.slice(0, 20).map(String));
  });

  it('reads the numeric ids of DDoS profiles', () => {
    const task = taskSchema.parse(taskBody({ created_resources: { ddos_profiles: [4] } }));

    expect(task.created_resources).toEqual({ ...NONE, ddos_profiles: [4] });
  });

  it('fills missing lists of created_resources', () => {
    const task = taskSchema.parse(taskBody({ created_resources: { volumes: ['v-1'] } }));

    expect(task.created_resources).toEqual({ ...NONE, volumes: ['v-1'] });
  });

  it.each(['NEW', 'RUNNING', 'FINISHED', 'ERROR', 'SUSPENDED', ''])(
    'lets the state %j through, known or not',
    (state) => {
      const task = taskSchema.parse(taskBody({ state }));

      expect(task.state).toBe(state);
    },
  );

  it('drops `data`', () => {
    const property = fc.property(fc.jsonValue(), (data) => {
      const task = taskSchema.parse(taskBody({ data: [data, 'canary-password'] }));

      expect(task).not.toHaveProperty('data');
      expect(JSON.stringify(task)).not.toContain('canary-password');
    });

    fc.assert(property);
  });

  it.each([['id'], ['task_type'], ['state']])('refuses a task without %s', (field) => {
    const parsed = taskSchema.safeParse(taskBody({ [field]: undefined }));

    expect(parsed.error?.issues).toEqual([expect.objectContaining({ path: [field] })]);
  });

  it('reads a list of tasks', () => {
    const list = taskListSchema.parse({ count: 12, results: [taskBody(), taskBody()] });

    expect(list.results).toHaveLength(2);
  });
});

describe('timestampSchema', () => {
  it.each([
    ['2026-05-23T05:07:31', '2026-05-23T05:07:31.000Z'],
    ['2026-05-23T05:07:31.250', '2026-05-23T05:07:31.250Z'],
    ['2026-05-23T05:07:31.123456', '2026-05-23T05:07:31.123Z'],
    ['2026-05-23T05:07:31Z', '2026-05-23T05:07:31.000Z'],
    ['2026-05-23T05:07:31z', '2026-05-23T05:07:31.000Z'],
    ['2026-05-23T07:07:31+02:00', '2026-05-23T05:07:31.000Z'],
    ['2026-05-23T07:07:31+0200', '2026-05-23T05:07:31.000Z'],
    ['2026-05-22T22:07:31-07:00', '2026-05-23T05:07:31.000Z'],
    ['2026-05-23 05:07:31', '2026-05-23T05:07:31.000Z'],
    ['2026-05-23 05:07:31+00:00', '2026-05-23T05:07:31.000Z'],
    [' 2026-05-23T05:07:31 ', '2026-05-23T05:07:31.000Z'],
    ['2026-05-23', '2026-05-23T00:00:00.000Z'],
  ])('reads %j as %s', (text, expected) => {
    const time = timestampSchema.parse(text);

    expect(time).toBe(expected);
  });

  it.each(['', 'yesterday', '2026-13-01T00:00:00', 'T05:07:31'])('refuses %j', (text) => {
    const parsed = timestampSchema.safeParse(text);

    expect(parsed.error?.issues).toEqual([
      expect.objectContaining({ message: 'must be a timestamp' }),
    ]);
  });

  it('keeps the exact time, with a zone and without', () => {
    const moments = fc.date({
      min: new Date('1990-01-01T00:00:00Z'),
      max: new Date('2100-01-01T00:00:00Z'),
      noInvalidDate: true,
    });
    const property = fc.property(moments, (moment) => {
      const iso = moment.toISOString();

      expect(timestampSchema.parse(iso)).toBe(iso);
      expect(timestampSchema.parse(iso.replace('Z', ''))).toBe(iso);
    });

    fc.assert(property);
  });
});

describe('taskIdsSchema', () => {
  it.each([[[]], [['one']], [['one', 'two']]])('accepts the tasks %j', (tasks) => {
    const answer = taskIdsSchema.parse({ tasks });

    expect(answer).toEqual({ tasks });
  });

  it.each([[{}], [{ tasks: null }], [{ tasks: [1] }], [{ task: 'one' }], [[]], [null]])(
    'refuses the answer %j, which says nothing of tasks',
    (body) => {
      const parsed = taskIdsSchema.safeParse(body);

      expect(parsed.success).toBe(false);
    },
  );
});
