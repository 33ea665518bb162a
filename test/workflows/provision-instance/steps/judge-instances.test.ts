import { describe, expect, it } from '@jest/globals';

import type { InstanceView } from '../../../../src/activities/instances.js';
import {
  isBroken,
  judgeInstances,
} from '../../../../src/workflows/provision-instance/steps/judge-instances.js';

const FLAVOR = 'g2-standard-2-4';

function seen(id: string, change: Partial<InstanceView> = {}): InstanceView {
  return {
    id,
    name: 'web-1',
    status: 'ACTIVE',
    flavor: FLAVOR,
    creatorTaskId: `task-of-${id}`,
    addresses: [],
    publicAddress: null,
    volumeIds: [],
    marker: 'default/order-1',
    ...change,
  };
}

function judge(...instances: InstanceView[]) {
  return judgeInstances(instances, { flavors: [FLAVOR], name: 'web-1', maker: 'ns/this' });
}

describe('judgeInstances', () => {
  it('finds nothing when no instance carries the marker', () => {
    const verdict = judge();

    expect(verdict).toEqual({ kind: 'absent' });
  });

  it.each(['ACTIVE', 'BUILD', 'SHUTOFF', 'a status of next year'])(
    'takes over the one instance, in status %s',
    (status) => {
      const instance = seen('i-1', { status });

      const verdict = judge(instance);

      expect(verdict).toEqual({ kind: 'present', resource: instance, taskIds: ['task-of-i-1'] });
    },
  );

  it('adopts an instance whose task the API does not name', () => {
    const instance = seen('i-1', { creatorTaskId: undefined });

    const verdict = judge(instance);

    expect(verdict).toEqual({ kind: 'present', resource: instance, taskIds: [] });
  });

  it.each([
    ['another name, of an earlier run', { name: 'web-2', maker: 'ns/before' }, 'contradiction'],
    ['another name, of nobody', { name: 'web-2' }, 'contradiction'],
    ['the name in another form', { name: 'WEB-1', maker: 'ns/before' }, 'present'],
    ['another name by now, of this run', { name: 'web-2', maker: 'ns/this' }, 'present'],
  ])('judges an instance with %s', (_, change, kind) => {
    expect(judge(seen('i-1', change)).kind).toBe(kind);
  });

  it('adopts an instance whose flavor the API does not name', () => {
    const verdict = judge(seen('i-1', { flavor: undefined }));

    expect(verdict.kind).toBe('present');
  });

  it.each(['ERROR', 'DELETED', 'SOFT_DELETED'])('finds a leftover in status %s', (status) => {
    const verdict = judge(seen('i-1', { status }));

    expect(verdict).toEqual({
      kind: 'leftover',
      note: `instance i-1 in status ${status}`,
      taskIds: [],
      madeBy: ['task-of-i-1'],
    });
  });

  it('names all leftovers', () => {
    const verdict = judge(seen('i-1', { status: 'ERROR' }), seen('i-2', { status: 'DELETED' }));

    expect(verdict).toEqual({
      kind: 'leftover',
      note: 'instance i-1 in status ERROR, instance i-2 in status DELETED',
      taskIds: [],
      madeBy: ['task-of-i-1', 'task-of-i-2'],
    });
  });

  it('adopts a sound instance next to a broken one', () => {
    const verdict = judge(seen('i-1', { status: 'ERROR' }), seen('i-2'));

    expect(verdict).toMatchObject({ kind: 'present', resource: { id: 'i-2' } });
  });

  it('never chooses between two sound instances', () => {
    const verdict = judge(seen('i-1'), seen('i-2', { status: 'BUILD' }));

    expect(verdict).toEqual({
      kind: 'contradiction',
      note: '2 instances carry the marker of this one request: i-1, i-2.',
    });
  });

  it('never adopts an instance with another flavor', () => {
    const verdict = judge(seen('i-1', { flavor: 'g2-standard-8-16' }));

    expect(verdict).toEqual({
      kind: 'contradiction',
      note: 'Instance i-1 of this request has the flavor g2-standard-8-16, not g2-standard-2-4.',
    });
  });
});

describe('isBroken', () => {
  it.each([
    ['ERROR', true],
    ['DELETED', true],
    ['SOFT_DELETED', true],
    ['ACTIVE', false],
    ['BUILD', false],
    ['', false],
  ])('for the status %j is %s', (status, expected) => {
    const broken = isBroken(status);

    expect(broken).toBe(expected);
  });
});
