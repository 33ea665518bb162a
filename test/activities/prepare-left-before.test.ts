import { describe, expect, it } from '@jest/globals';

import { createPrepareActivities } from '../../src/activities/index.js';
import type { DeleteInstanceInput } from '../../src/contract/operations/types.js';
import { DEFAULT_POLL_POLICY } from '../../src/contract/wire/tasks.js';
import { createActivityEnvironment, failureIn, inActivity } from '../support/http/in-activity.js';

const INPUT: DeleteInstanceInput = {
  instanceId: '9f1c2d3e-4b5a-4c6d-8e7f-0a1b2c3d4e5f',
  volumes: 'delete',
  floatingIps: 'delete',
};

function asked(attempt: number) {
  const activities = createPrepareActivities({
    namespaceId: () => Promise.resolve('namespace'),
    defaults: {},
    policy: { reconcileGraceMs: 1, poll: DEFAULT_POLL_POLICY, searchAttributes: false },
    leftBefore: () => Promise.reject(new Error('of a version that nobody has any more')),
  });
  const workflowExecution = { workflowId: 'delete-instance/default/clean-up', runId: 'this run' };
  const first = { runId: workflowExecution.runId, at: 0, now: 0 };
  const environment = createActivityEnvironment({ attempt, workflowExecution });
  return { call: () => activities.leftBefore({ input: INPUT, first }), environment };
}

describe('what earlier runs of a deletion have left', () => {
  it('is asked again while one of them gives no answer', async () => {
    const { call, environment } = asked(3);

    const { message, nonRetryable } = await failureIn(call, environment);

    expect(message).toContain('cannot be asked now');
    expect(nonRetryable).not.toBe(true);
  });

  it('is unknown when none of three tries had one', async () => {
    const { call, environment } = asked(4);

    expect(await inActivity(call, environment)).toBeUndefined();
  });
});
