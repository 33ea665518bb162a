import { randomUUID } from 'node:crypto';

import { describe, expect, it } from '@jest/globals';

import {
  createGcoreWorkflows,
  InvalidInputError,
  ScheduleConflictError,
  ScheduleNotFoundError,
  type GcoreWorkflows,
  type ScheduleRequest,
} from '../../../src/client/index.js';
import { inScenario, type Scenario } from '../../support/runs/scenario.js';
import { until } from '../../support/timing/until.js';
import { add, contentOf, stateWithStores, STORE } from '../../support/worlds/kv-stores.js';

type Request = ScheduleRequest<'modifyKvStore'>;

interface World extends Scenario {
  gcore: GcoreWorkflows;
  scheduleId: string;
  /** Makes the schedule of the test: a refresh of the store from a manifest, far in the future. */
  make: (change?: Partial<Request>) => ReturnType<GcoreWorkflows['schedules']['create']>;
  write: (...pairs: [string, string][]) => void;
}

async function inWorld(test: (world: World) => Promise<void>): Promise<void> {
  await inScenario({ state: stateWithStores(), manifests: {} }, async (scenario) => {
    const { client, taskQueue, account } = scenario;
    const gcore = createGcoreWorkflows({ client, taskQueue });
    const scheduleId = `nightly-${randomUUID().slice(0, 8)}`;
    const input = { storeId: STORE, manifest: { url: `file:${scheduleId}.jsonl` }, account };
    const make = (change: Partial<Request> = {}) => {
      const isTimed = 'at' in change || 'cron' in change;
      const request = { scheduleId, input, ...(isTimed ? {} : { every: '300 days' }), ...change };
      return gcore.schedules.create('modifyKvStore', request);
    };
    const write = (...pairs: [string, string][]): void => {
      const items = pairs.map(([key, value]) => add(key, value));
      scenario.writeManifest(`${scheduleId}.jsonl`, items);
    };
    try {
      await test({ ...scenario, gcore, scheduleId, make, write });
    } finally {
      await gcore.schedules.delete(scheduleId).catch(() => undefined);
    }
  });
}

describe('a schedule', () => {
  it('starts runs that push what the manifest holds then, each as a request of its own', () =>
    inWorld(async ({ gcore, client, simulator, scheduleId, account, make, write }) => {
      await make({ urgency: 'bulk' });
      write(['greeting', 'hello']);
      const first = await gcore.schedules.trigger(scheduleId);
      await gcore.result('modifyKvStore', first.workflowId ?? '');
      write(['greeting', 'good night'], ['more', 'text']);
      await until('a second has passed, which is part of the id', () =>
        Promise.resolve(!(first.workflowId ?? '').endsWith(`${isoSecond()}Z`)),
      );
      const second = await gcore.schedules.trigger(scheduleId);
      const { items } = await gcore.result('modifyKvStore', second.workflowId ?? '');
      const view = await gcore.schedules.show(scheduleId);
      const run = await client.workflow.getHandle(second.workflowId ?? '').describe();

      expect(first.workflowId).toMatch(
        new RegExp(`^modify-kv-store/${account}/${scheduleId}-\\d{4}-\\d\\d-\\d\\dT[\\d:]+Z$`),
      );
      expect(second.workflowId).not.toBe(first.workflowId);
      expect(items).toBe(2);
      expect(contentOf(simulator)).toEqual({ greeting: 'good night', more: 'text' });
      expect(view.lastRuns).toMatchObject([
        { workflowId: second.workflowId, phase: 'succeeded' },
        { workflowId: first.workflowId, phase: 'succeeded' },
      ]);
      expect(view).toMatchObject({ started: 2, missed: 0, skipped: 0, urgency: 'bulk' });
      expect(run.priority).toMatchObject({ priorityKey: 5 });
      expect(run.memo).toHaveProperty('intentDigest');
      expect(await run.staticSummary()).toBe(`modifyKvStore ${scheduleId}`);
    }));

  it('is the same when it is made again, and a conflict names what differs', () =>
    inWorld(async ({ gcore, scheduleId, account, make }) => {
      const made = await Promise.all([make(), make(), make()]);
      const again = await make({ every: `${300 * 24}h`, catchUp: '24 hours', overlap: 'skip' });
      const conflict = await make({
        every: '12h',
        overlap: 'wait',
        catchUp: 'none',
        urgency: 'incident',
        input: { storeId: 2, manifest: { url: 'file:x.jsonl' }, account, deadline: '2 hours' },
      }).catch((error: unknown) => error);
      const view = await gcore.schedules.show(scheduleId);

      expect(made.map(({ outcome }) => outcome).sort()).toEqual(['created', 'existed', 'existed']);
      expect(again).toEqual({ scheduleId, outcome: 'existed' });
      expect(conflict).toBeInstanceOf(ScheduleConflictError);
      expect(conflict).toMatchObject({
        paths: [
          ...['every', 'overlap', 'catchUp', 'urgency'],
          ...['storeId', 'manifest.url', 'deadline'],
        ],
      });
      expect(view).toMatchObject({ timing: 'every 300 days', overlap: 'skip', catchUp: '1 day' });
    }));

  it('names its next times by the clock of its zone', () =>
    inWorld(async ({ gcore, scheduleId, make }) => {
      await make({ at: ['04:30'], zone: 'Asia/Tokyo' });
      const { nextAt, zone, timing } = await gcore.schedules.show(scheduleId);

      expect(nextAt).toHaveLength(5);
      expect(new Set(nextAt.map((time) => time.toISOString().slice(11)))).toEqual(
        new Set(['19:30:00.000Z']),
      );
      expect([zone, timing]).toEqual(['Asia/Tokyo', 'every day at 04:30, Asia/Tokyo']);
    }));

  it('is the same when its cron line is the same', () =>
    inWorld(async ({ make }) => {
      const cron = { cron: '30 4 * * MON-FRI', zone: 'Europe/Berlin' };
      await make(cron);

      expect(await make({ ...cron, cron: '30 4 * *  MON-FRI' })).toMatchObject({
        outcome: 'existed',
      });
      await expect(make({ ...cron, cron: '30 4 * * 1-5' })).rejects.toMatchObject({
        paths: ['cron'],
      });
    }));

  it('with a cron line that the server does not understand is refused as a fault', () =>
    inWorld(async ({ make }) => {
      const bad = make({ cron: '99 4 * * *' });

      await expect(bad).rejects.toBeInstanceOf(InvalidInputError);
      await expect(bad).rejects.toMatchObject({
        faults: [{ path: 'cron', message: expect.stringContaining('Minute is not in range') }],
      });
    }));

  it('is paused with a reason, resumed, listed and deleted', () =>
    inWorld(async ({ gcore, scheduleId, make }) => {
      await make();
      await gcore.schedules.pause(scheduleId, 'the store is being moved');
      const paused = await gcore.schedules.show(scheduleId);
      const same = await make();
      await gcore.schedules.resume(scheduleId);
      const resumed = await gcore.schedules.show(scheduleId);
      await until('the list knows it', async () => {
        const all = await gcore.schedules.list();
        return all.some((one) => one.scheduleId === scheduleId && !one.paused);
      });
      await gcore.schedules.delete(scheduleId);

      expect(paused).toMatchObject({
        paused: true,
        note: expect.stringMatching(/^the store is being moved \(paused by \d+@/),
        nextAt: [],
        changedElsewhere: false,
      });
      expect(same).toMatchObject({ outcome: 'existed' });
      expect(resumed).toMatchObject({ paused: false, changedElsewhere: false });
      expect(resumed.nextAt.length).toBeGreaterThan(0);
      await expect(gcore.schedules.show(scheduleId)).rejects.toBeInstanceOf(ScheduleNotFoundError);
    }));

  it('of a batch is found by the group that its runs have, also where no label of its input says it', () =>
    inWorld(async ({ gcore, account, scheduleId }) => {
      const items = [{ storeId: STORE, items: [add('greeting', 'hello')] }];
      const input = { account, operation: 'modifyKvStore' as const, items, idPrefix: scheduleId };
      await gcore.schedules.create('runBatch', { scheduleId, input, every: '300 days' });
      const isListed = async () =>
        (await gcore.schedules.list()).some((one) => one.scheduleId === scheduleId);
      const found = async (group: string) =>
        (await gcore.schedules.list({ labels: { group } })).map((one) => one.scheduleId);

      await until('it is listed', isListed);
      expect(await found(scheduleId)).toEqual([scheduleId]);
      expect(await found('another')).toEqual([]);
    }));

  it('of another product is none of ours', () =>
    inWorld(async ({ gcore, client, scheduleId }) => {
      const handle = await client.schedule.create({
        scheduleId,
        spec: { intervals: [{ every: '300 days' }] },
        action: { type: 'startWorkflow', workflowType: 'somethingElse', taskQueue: 'nobody' },
      });

      await expect(gcore.schedules.delete(scheduleId)).rejects.toBeInstanceOf(
        ScheduleNotFoundError,
      );
      await handle.delete();
    }));

  it('that another tool has changed says so', () =>
    inWorld(async ({ gcore, client, scheduleId, make }) => {
      await make();
      await client.schedule.getHandle(scheduleId).update(({ action, state }) => ({
        action: { ...action, type: 'startWorkflow' },
        spec: { intervals: [{ every: '200 days' }] },
        state,
      }));

      expect(await gcore.schedules.show(scheduleId)).toMatchObject({ changedElsewhere: true });
      await expect(make()).rejects.toMatchObject({ paths: ['(another tool made it)'] });
    }));
});

describe('a trigger while a run is open', () => {
  it.each([
    ['skip', 'skipped'],
    ['wait', 'waiting'],
    ['allow', 'started'],
  ] as const)('of a schedule with the rule %s is %s', (overlap, outcome) =>
    inWorld(async ({ gcore, scheduleId, make }) => {
      // The manifest is missing: the run blocks.
      await make({ overlap });
      const open = await gcore.schedules.trigger(scheduleId);
      await until('a second has passed, which is part of the id', () =>
        Promise.resolve(!(open.workflowId ?? '').endsWith(`${isoSecond()}Z`)),
      );
      const second = await gcore.schedules.trigger(scheduleId);
      const view = await gcore.schedules.show(scheduleId);

      expect(second.outcome).toBe(outcome);
      expect([view.skipped, view.waiting, view.started]).toEqual(
        { skip: [1, 0, 1], wait: [0, 1, 1], allow: [0, 0, 2] }[overlap],
      );
      await gcore.schedules.delete(scheduleId);
      for (const { workflowId } of view.lastRuns) await gcore.abort(workflowId);
      for (const { workflowId } of view.lastRuns) {
        await gcore.result('modifyKvStore', workflowId).catch(() => undefined);
      }
    }),
  );
});

function isoSecond(): string {
  return new Date().toISOString().slice(0, 19);
}
