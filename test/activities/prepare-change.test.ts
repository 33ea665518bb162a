import { describe, expect, it } from '@jest/globals';

import { createPrepareActivities, type PrepareDeps } from '../../src/activities/index.js';
import type { FirstEvent } from '../../src/engine/core/prepared-run.js';
import { DEFAULT_POLL_POLICY } from '../../src/contract/wire/tasks.js';
import { createActivityEnvironment, failureIn, inActivity } from '../support/http/in-activity.js';

const INPUT = { instanceId: '9f1c2d3e-4b5a-4c6d-8e7f-0a1b2c3d4e5f', flavor: 'g2-standard-4-8' };
const NOW = Date.parse('2026-05-01T12:00:00Z');
const RUN: FirstEvent = { runId: 'this run', at: NOW, now: NOW };

function prepare(input: object, deps: Partial<PrepareDeps> = {}, first = RUN) {
  const activities = createPrepareActivities({
    namespaceId: () => Promise.resolve('namespace'),
    defaults: { projectId: 1, regionId: 76 },
    policy: { reconcileGraceMs: 1, poll: DEFAULT_POLL_POLICY, searchAttributes: false },
    ...deps,
  });
  const workflowExecution = { workflowId: 'resize-instance/default/order-1', runId: 'this run' };
  const environment = createActivityEnvironment({ namespace: 'prod', workflowExecution });
  return { call: () => activities.prepareResizeInstance(input, first), environment };
}

async function prepared(...of: Parameters<typeof prepare>) {
  const { call, environment } = prepare(...of);
  return inActivity(call, environment);
}

describe('what a run of one step prepares', () => {
  it('is its place, the defaults and the waits of its own tasks', async () => {
    const { policy, ...rest } = await prepared(INPUT);

    expect(rest).toEqual({ account: 'default', onBlocked: 'wait', projectId: 1, regionId: 76 });
    expect(Object.keys(policy.poll.typical).sort()).toEqual([
      'hard_reboot_vm',
      'list of the API',
      'resize_vm',
      'soft_reboot_vm',
      'start_vm',
      'stop_vm',
    ]);
  });

  it('says since when an earlier run may have sent its call, when one was cut short', async () => {
    const earlier = {
      cutShortAt: () => Promise.resolve(NOW - 1_000),
      earlierRuns: () => Promise.resolve({ since: NOW - 60_000, digests: [] }),
    };

    expect(await prepared(INPUT, earlier)).toMatchObject({
      cutShortAt: NOW - 1_000,
      since: NOW - 60_000,
    });
  });

  it('believes who has started it, but no end that is still to come', async () => {
    const said = (cutShortAt: number) => prepared(INPUT, {}, { ...RUN, cutShortAt });

    expect(await said(NOW - 1_000)).toMatchObject({ cutShortAt: NOW - 1_000 });
    expect(await said(NOW + 3_600_000)).toMatchObject({ cutShortAt: NOW });
  });

  it('counts a reset from the start of the run that it has ended', async () => {
    const reset = { runId: 'the run before', at: NOW - 5_000, now: NOW };

    expect(await prepared(INPUT, {}, reset)).toMatchObject({
      cutShortAt: NOW,
      since: NOW - 5_000,
    });
  });

  it('waits for the server while nobody knows the earlier runs', async () => {
    const unknown = {
      cutShortAt: () => Promise.resolve(NOW - 1_000),
      earlierRuns: () => Promise.resolve({ digests: 'unknown' as const }),
    };
    const { call, environment } = prepare(INPUT, unknown);

    expect(await failureIn(call, environment)).toMatchObject({ nonRetryable: false });
  });

  it.each([
    ['no flavor', { instanceId: INPUT.instanceId }, 'flavor'],
    ['an id that is no UUID', { ...INPUT, instanceId: 'web-1' }, 'instanceId'],
    ['an onFailure', { ...INPUT, onFailure: 'keep' }, 'onFailure'],
  ])('is refused with %s', async (_, input, path) => {
    const { call, environment } = prepare(input);

    expect(await failureIn(call, environment)).toMatchObject({
      type: 'InvalidInput',
      details: [{ faults: [{ path }] }],
    });
  });
});
