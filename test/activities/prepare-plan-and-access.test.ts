import { describe, expect, it } from '@jest/globals';

import { createPrepareActivities, type PrepareDeps } from '../../src/activities/index.js';
import { DEFAULT_POLL_POLICY } from '../../src/contract/wire/tasks.js';
import type { RunPolicy } from '../../src/engine/core/run-policy.js';
import { createActivityEnvironment, failureIn, inActivity } from '../support/http/in-activity.js';
import { createBody } from '../support/inputs/instance-bodies.js';

const POLICY: RunPolicy = {
  reconcileGraceMs: 1,
  poll: DEFAULT_POLL_POLICY,
  searchAttributes: false,
};
const RUN_ID = '00000000-0000-0000-0000-000000000000';
const WORKFLOW_ID = 'provision-instance/default/order-1';

function inRun(workflowId = WORKFLOW_ID, namespace = 'prod') {
  const workflowExecution = { workflowId, runId: RUN_ID };
  return createActivityEnvironment({ namespace, workflowExecution });
}

function createPrepare(defaults: PrepareDeps['defaults'] = {}) {
  const activities = createPrepareActivities({
    namespaceId: () => Promise.resolve('namespace'),
    defaults,
    policy: POLICY,
  });
  return (input: unknown) => async () => activities.prepareProvisionInstance(input);
}

describe('the preparation of a plan', () => {
  const prepare = (input: object) => createPrepare({ projectId: 1, regionId: 1 })(input);
  const INPUT = { instance: createBody(), planOnly: true, onBlocked: 'wait' };

  it('has the marker of its request, and never waits for a person', async () => {
    const plan = `plan/${WORKFLOW_ID}@0a1b2c3d`;

    expect(await inActivity(prepare(INPUT), inRun(plan))).toMatchObject({
      planOnly: true,
      onBlocked: 'fail',
      marker: `prod/${WORKFLOW_ID}`,
    });
  });

  it('is refused under the id of the request', async () => {
    const failure = await failureIn(prepare(INPUT), inRun());

    expect(failure.type).toBe('InvalidInput');
    expect(failure.message).toContain(`plan/${WORKFLOW_ID}`);
  });

  it('changes nothing for a run that is not a plan', async () => {
    const prepared = await inActivity(prepare({ ...INPUT, planOnly: false }), inRun());

    expect(prepared).not.toHaveProperty('planOnly');
    expect(prepared.onBlocked).toBe('wait');
  });
});

describe('prepareImportVideos of a run that was reset to its first task', () => {
  const INPUT = { videos: [{ name: 'intro', origin_url: 'https://example.com/intro.mp4' }] };
  const prepareAs = (runId: string, since?: number) => async () => {
    const earlierRuns = () =>
      Promise.resolve({ digests: [], ...(since !== undefined && { since }) });
    const deps = {
      namespaceId: () => Promise.resolve('namespace'),
      defaults: {},
      policy: POLICY,
      earlierRuns,
    };
    return createPrepareActivities(deps).prepareImportVideos(INPUT, { runId, at: 42 });
  };

  it.each([
    { name: 'counts where the list of runs does not show it', runId: 'before', since: 42 },
    { name: 'counts where the list shows a later one', runId: 'before', listed: 50, since: 42 },
    { name: 'comes after an earlier one', runId: 'before', listed: 7, since: 7 },
    { name: 'does not exist when nothing was reset', runId: RUN_ID, since: undefined },
  ])('says since when there are videos: the run before $name', async (row) => {
    const { runId, listed, since } = row;

    const { earlier } = await inActivity(prepareAs(runId, listed), inRun());

    expect(earlier.since).toBe(since);
  });
});

describe('prepareGrantSftpAccess', () => {
  const prepare =
    (input: unknown, deps: Partial<PrepareDeps> = {}) =>
    async () =>
      createPrepareActivities({
        namespaceId: () => Promise.resolve('namespace'),
        defaults: {},
        policy: POLICY,
        ...deps,
      }).prepareGrantSftpAccess(input);
  const INPUT = { storageId: 7, keyNames: ['ingest'] };

  it('adds the defaults, the policy and the key limit of a storage', async () => {
    expect(await inActivity(prepare(INPUT), inRun())).toEqual({
      account: 'default',
      onBlocked: 'wait',
      onFailure: 'rollback',
      policy: POLICY,
      ...INPUT,
      mostKeys: 5,
    });
  });

  it('adds the end of the run that a reset has just ended', async () => {
    const before = Date.now();
    const prepareAs = (runId: string) => async () =>
      createPrepareActivities({
        namespaceId: () => Promise.resolve('namespace'),
        defaults: {},
        policy: POLICY,
      }).prepareGrantSftpAccess(INPUT, {
        runId,
        at: 42,
      });

    const reset = await inActivity(prepareAs('the run before'), inRun());
    const usual = await inActivity(prepareAs(RUN_ID), inRun());

    expect(reset.cutShortAt).toBeGreaterThanOrEqual(before);
    expect(usual).not.toHaveProperty('cutShortAt');
  });

  it('adds the project of the cloud keys and the end of a terminated run', async () => {
    const cutShortAt = () => Promise.resolve(42);
    const deps = { defaults: { projectId: 3 }, cutShortAt };

    const byDefault = await inActivity(prepare(INPUT, deps), inRun());
    const named = await inActivity(prepare({ ...INPUT, projectId: 4 }, deps), inRun());

    expect([byDefault, named]).toMatchObject([
      { projectId: 3, cutShortAt: 42 },
      { projectId: 4, cutShortAt: 42 },
    ]);
  });
});
