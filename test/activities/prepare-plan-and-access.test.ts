import { describe, expect, it } from '@jest/globals';

import {
  createPrepareActivities,
  type EarlierEnd,
  type PrepareDeps,
} from '../../src/activities/index.js';
import { DEFAULT_POLL_POLICY } from '../../src/contract/wire/tasks.js';
import type { RunPolicy } from '../../src/engine/core/run-policy.js';
import { createActivityEnvironment, failureIn, inActivity } from '../support/http/in-activity.js';
import { createBody } from '../support/inputs/instance-bodies.js';

const POLICY: RunPolicy = {
  reconcileGraceMs: 1,
  poll: { ...DEFAULT_POLL_POLICY, typical: {} },
  searchAttributes: false,
};
const HOUR_MS = 3_600_000;
const HOURS_OFF = [-1, 0, 1];
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
    return createPrepareActivities(deps).prepareImportVideos(INPUT, { runId, at: 42, now: 99 });
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

  it.each(HOURS_OFF)(
    'adds the time of the run as the end of what ended a moment ago: the clock of the worker is %i h off',
    async (hours) => {
      const now = Date.now() - hours * HOUR_MS;
      const ended = async (runId: string, end: EarlierEnd) => {
        const deps = {
          namespaceId: () => Promise.resolve('namespace'),
          defaults: {},
          policy: POLICY,
        };
        const activities = createPrepareActivities({
          ...deps,
          cutShortAt: () => Promise.resolve(end),
        });
        const first = { runId, at: now - 1_000, now };
        return (await inActivity(() => activities.prepareGrantSftpAccess(INPUT, first), inRun()))
          .cutShortAt;
      };

      expect(await ended('the run that a reset has ended', undefined)).toBe(now);
      expect(await ended(RUN_ID, 'unknown')).toBe(now);
      expect(await ended(RUN_ID, undefined)).toBeUndefined();
    },
  );

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

describe('a run that makes what an earlier one may have made', () => {
  const VOLUME = { regionId: 2, source: 'new-volume', name: 'data', size: 20 };
  const FIRST = { runId: RUN_ID, at: 1, now: 2, ranBefore: 'the run before' };
  const askedAfter = (end: EarlierEnd, earlier: object[] = []) => {
    const asked: unknown[] = [];
    const { prepareCreateVolume } = createPrepareActivities({
      namespaceId: () => Promise.resolve('namespace'),
      defaults: { projectId: 3, regionId: 1 },
      policy: POLICY,
      cutShortAt: () => Promise.resolve(end),
      askedBefore: (request) => {
        asked.push(request);
        return Promise.resolve(earlier);
      },
    });
    const prepare = () => prepareCreateVolume(VOLUME, FIRST);
    return { asked, prepare: () => inActivity(prepare, inRun()) };
  };

  it('asks nobody where none was cut short', async () => {
    const { asked, prepare } = askedAfter(undefined);
    expect(await prepare()).toMatchObject({ regionId: 2 });
    expect(asked).toEqual([]);
  });

  it.each([
    ['waits for no list while the server has none', 'unknown' as const, false],
    ['has those listed that no run names', 1, true],
  ])('%s', async (_, end, areListed) => {
    const { asked, prepare } = askedAfter(end);
    expect(await prepare()).toMatchObject({ regionId: 2 });
    expect(asked).toMatchObject([{ own: RUN_ID, ranBefore: 'the run before', areListed }]);
  });

  it('is refused elsewhere, but not for what a plan was asked for', async () => {
    const plan = askedAfter(1, [{ planOnly: true }]);
    expect(await plan.prepare()).toMatchObject({ regionId: 2 });
    const same = askedAfter(1, [{ regionId: 2 }]);
    expect(await same.prepare()).toMatchObject({ regionId: 2 });
    const other = askedAfter(1, [{ regionId: 2 }, {}]);
    await expect(other.prepare()).rejects.toThrow('in region 1 of project 3');
    const elsewhere = askedAfter(1, [{ regionId: 2, account: 'b' }]);
    await expect(elsewhere.prepare()).rejects.toThrow('in the account "b"');
  });
});

describe('the end of the run that had a turn before', () => {
  const endOf = (end: EarlierEnd, now: number) =>
    createPrepareActivities({
      namespaceId: () => Promise.resolve('namespace'),
      defaults: {},
      policy: POLICY,
      cutShortAt: () => Promise.resolve(end),
    }).turnCutShortAt({ turnId: 'turn/default/kv-store/17', now });

  it.each(HOURS_OFF)('is by no clock of the worker, which is %i h off', async (hours) => {
    const now = Date.now() - hours * HOUR_MS;

    expect(await endOf('unknown', now)).toBe(now);
    expect(await endOf(42, now)).toBe(42);
    expect(await endOf(undefined, now)).toBeUndefined();
  });
});
