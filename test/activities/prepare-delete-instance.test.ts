import { describe, expect, it } from '@jest/globals';

import { createPrepareActivities, type MakerRun } from '../../src/activities/index.js';
import { DEFAULT_POLL_POLICY } from '../../src/contract/wire/tasks.js';
import type { RunPolicy } from '../../src/engine/core/run-policy.js';
import { createActivityEnvironment, failureIn, inActivity } from '../support/http/in-activity.js';

const POLICY: RunPolicy = {
  reconcileGraceMs: 1,
  poll: { ...DEFAULT_POLL_POLICY, typical: {} },
  searchAttributes: false,
};
const ID = 'AAAAAAAA-0000-4000-8000-000000000000';
const MAKER = 'provision-instance/default/order-1';
const CHOICES = { volumes: 'delete', floatingIps: 'keep' };

const prepare = (input: unknown, maker?: MakerRun) => async () =>
  createPrepareActivities({
    makerOf: () => Promise.resolve(maker),
    namespaceId: () => Promise.resolve('namespace'),
    defaults: { projectId: 1, regionId: 2 },
    policy: POLICY,
  }).prepareDeleteInstance(input);

function inRun() {
  const workflowExecution = { workflowId: 'delete-1', runId: ID };
  return createActivityEnvironment({ namespace: 'prod', workflowExecution });
}

describe('prepareDeleteInstance', () => {
  it('adds the defaults, and writes ids in lower case without duplicates', async () => {
    const input = { ...CHOICES, instanceId: ID, volumes: [ID, ID.toLowerCase()] };

    expect(await inActivity(prepare(input), inRun())).toEqual({
      account: 'default',
      onBlocked: 'wait',
      policy: POLICY,
      projectId: 1,
      regionId: 2,
      floatingIps: 'keep',
      volumes: [ID.toLowerCase()],
      target: { instanceId: ID.toLowerCase() },
    });
  });

  it('computes the same marker as the run of provisionInstance', async () => {
    const maker = createActivityEnvironment({
      namespace: 'prod',
      workflowExecution: { workflowId: MAKER, runId: ID },
    });
    const instance = {
      flavor: 'g2-standard-2-4',
      interfaces: [{ type: 'external' }],
      volumes: [{ source: 'new-volume', size: 5 }],
    };
    const made = await inActivity(
      async () =>
        createPrepareActivities({
          namespaceId: () => Promise.resolve('namespace'),
          defaults: { projectId: 1, regionId: 2 },
          policy: POLICY,
        }).prepareProvisionInstance({ instance }),
      maker,
    );

    const prepared = await inActivity(prepare({ ...CHOICES, madeBy: MAKER }), inRun());

    expect(prepared.target).toEqual({
      madeBy: MAKER,
      marker: made.marker,
      namespaceId: 'namespace',
      hasMade: false,
    });
  });

  describe('by what a run has made', () => {
    const HERE = { account: 'default', projectId: 1, regionId: 2 };
    const byMaker = (madeAt?: MakerRun['madeAt']) =>
      prepare({ ...CHOICES, madeBy: MAKER }, { type: 'provisionInstance', madeAt });

    it('knows that it has made an instance in this place', async () => {
      const { target } = await inActivity(byMaker(HERE), inRun());

      expect(target).toMatchObject({ hasMade: true });
    });

    it('does not know it where nobody can read the place', async () => {
      const { target } = await inActivity(byMaker(), inRun());

      expect(target).toMatchObject({ hasMade: false });
    });

    it.each([{ account: 'other' }, { projectId: 7 }, { regionId: 7 }])(
      'refuses an instance that was made elsewhere: %j',
      async (change) => {
        const failure = await failureIn(byMaker({ ...HERE, ...change }), inRun());

        expect(failure.type).toBe('InvalidInput');
        expect(failure.details).toMatchObject([{ faults: [{ path: 'madeBy' }] }]);
        expect(failure.message).toContain(String(Object.values(change)[0]));
      },
    );
  });

  it('names every fault by its path', async () => {
    const failure = await failureIn(prepare({ volumes: 'delete' }), inRun());

    expect(failure.type).toBe('InvalidInput');
    expect(failure.message).toContain('floatingIps');
    expect(failure.message).toContain('instanceId');
  });
});
