import { describe, expect, it } from '@jest/globals';

import {
  apiTaskQueue,
  urgentTaskQueue,
  MARKER_TAG,
  Operation,
  WORKFLOW_TASK_QUEUE,
  workflowIdFor,
} from '../../../src/contract/wire/names.js';
import { isUrgent, planIdFor, plannedIdOf } from '../../../src/engine/core/names.js';
import { DEFAULT_POLL_POLICY } from '../../../src/contract/wire/tasks.js';
import { scalePollPolicy } from '../../../src/engine/core/run-policy.js';
import { TESTED_OPERATIONS } from '../../support/operations/index.js';

describe('the names on the wire', () => {
  it('never change, because clients in other languages use them', () => {
    const operations = Object.keys(TESTED_OPERATIONS).map((name) => [name, name]);

    expect({ ...Operation }).toEqual(Object.fromEntries(operations));
    expect({ WORKFLOW_TASK_QUEUE, MARKER_TAG }).toEqual({
      WORKFLOW_TASK_QUEUE: 'gcore-workflows',
      MARKER_TAG: 'workflow-request',
    });
  });

  it('give each account its own queues', () => {
    const queues = [apiTaskQueue('default'), apiTaskQueue('team-2')];

    expect(queues).toEqual(['gcore-api-default', 'gcore-api-team-2']);
    expect(urgentTaskQueue('team-2')).toBe('gcore-urgent-team-2');
  });

  it.each([
    [undefined, false],
    [1, true],
    [2, true],
    [3, false],
    [5, false],
  ])('classify the priority key %p as urgent: %p', (priorityKey, expected) => {
    expect(isUrgent(priorityKey)).toBe(expected);
  });

  it.each(Object.values(Operation))('give a request of %s one Workflow Id', (operation) => {
    const { workflowId } = TESTED_OPERATIONS[operation];

    expect(workflowIdFor(operation, 'blue', 'audit-7')).toBe(workflowId);
  });

  it('keep the colons of an address in its Workflow Id', () => {
    const id = workflowIdFor('protectIp', 'default', '2001:db8::1');

    expect(id).toBe('protect-ip/default/2001:db8::1');
  });
});

describe('the id of a plan', () => {
  it('contains the Workflow Id of the request, and a nonce makes it unique', () => {
    const ids = [planIdFor('my/own'), planIdFor('my/own', '0a1b2c3d')];

    expect(ids).toEqual(['plan/my/own', 'plan/my/own@0a1b2c3d']);
    expect(ids.map(plannedIdOf)).toEqual(['my/own', 'my/own']);
    expect(plannedIdOf('provision-instance/default/plan/1')).toBeUndefined();
  });
});

describe('scalePollPolicy', () => {
  it('scales every time and keeps the share of the elapsed time', () => {
    const scaled = scalePollPolicy(DEFAULT_POLL_POLICY, 0.01);

    expect(scaled).toMatchObject({
      minMs: 20,
      maxMs: 600,
      shareOfElapsed: 0.05,
      typical: { create_vm: { firstMs: 150, usualMs: 300 } },
      otherwise: { firstMs: 50, usualMs: 300 },
    });
    expect(Object.keys(scaled.typical)).toEqual(Object.keys(DEFAULT_POLL_POLICY.typical));
  });

  it('changes nothing at scale 1 and never changes its argument', () => {
    const before = structuredClone(DEFAULT_POLL_POLICY);

    const scaled = scalePollPolicy(DEFAULT_POLL_POLICY, 1);

    expect(scaled).toEqual(before);
    expect(DEFAULT_POLL_POLICY).toEqual(before);
  });
});
