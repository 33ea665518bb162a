import { describe, expect, it } from '@jest/globals';

import { createPrepareActivities, type PrepareDeps } from '../../src/activities/index.js';
import { DEFAULT_POLL_POLICY } from '../../src/contract/wire/tasks.js';
import { createActivityEnvironment, failureIn, inActivity } from '../support/http/in-activity.js';
import { createBody } from '../support/inputs/instance-bodies.js';

type Policy = Pick<PrepareDeps, 'secretsPolicy' | 'arrivedInClear'>;

const PLACE = { projectId: 7, regionId: 76 };

function inRun() {
  const workflowExecution = {
    workflowId: 'order-1',
    runId: '00000000-0000-0000-0000-000000000000',
  };
  return createActivityEnvironment({ workflowExecution });
}

function createPrepare(secrets: Policy) {
  const policy = { reconcileGraceMs: 1, poll: DEFAULT_POLL_POLICY, searchAttributes: false };
  const activities = createPrepareActivities({
    namespaceId: () => Promise.resolve('namespace'),
    defaults: PLACE,
    policy,
    ...secrets,
  });
  return (input: unknown) => async () => activities.prepareProvisionInstance(input);
}

function encrypted(isEncrypted: boolean) {
  const arrivedInClear = () => Promise.resolve(!isEncrypted);
  return { secretsPolicy: 'unless-encrypted', arrivedInClear } as const;
}

describe('an input with a secret in clear', () => {
  it.each<[string, Policy]>([
    ['by default', {}],
    ['where it was not encrypted', encrypted(false)],
    ['where that is set, however it arrived', { ...encrypted(true), secretsPolicy: 'refuse' }],
  ])('is refused %s, and hears that it stands in the history', async (_, deps) => {
    const prepare = createPrepare(deps);
    const instance = createBody({ password: 'canary-1', user_data: 'Y2FuYXJ5LTE=' });

    const failure = await failureIn(prepare({ instance }), inRun());

    expect(failure.type).toBe('InvalidInput');
    expect(failure.details).toMatchObject([
      { faults: [{ path: 'instance.password' }, { path: 'instance.user_data' }] },
    ]);
    expect(failure.message).toContain('stands in clear in the history of this run');
    expect(failure.message).not.toMatch(/canary|Y2Fu/);
  });

  it('is taken when it was encrypted, and asks how the input arrived only when it holds one', async () => {
    const secret = createBody({ password: { $secret: 'web-admin' } });
    const clear = createBody({ password: 'p' });
    const unasked = {
      secretsPolicy: 'unless-encrypted' as const,
      arrivedInClear: () => Promise.reject(new Error('asked')),
    };

    const named = await inActivity(createPrepare(unasked)({ instance: secret }), inRun());
    const sealed = await inActivity(createPrepare(encrypted(true))({ instance: clear }), inRun());

    expect([named, sealed]).toMatchObject([PLACE, PLACE]);
  });
});
