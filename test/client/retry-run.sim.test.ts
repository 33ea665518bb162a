import { randomUUID } from 'node:crypto';

import { describe, expect, it } from '@jest/globals';

import {
  createGcoreWorkflows,
  NoAnswerError,
  RetryRefusedError,
  RunCancelledError,
  RunNotFoundError,
  type GcoreWorkflows,
} from '../../src/client/index.js';
import { CREATE_PATH, provisionInput } from '../support/inputs/provision-input.js';
import { inScenario, type Scenario, type ScenarioOptions } from '../simulation/scenario.js';
import { resetRun } from '../support/runs/reset-run.js';
import { beforeQuery } from '../support/runs/meanwhile.js';
import { createGate } from '../support/timing/gate.js';
import { until } from '../support/timing/until.js';
import { withSplitWorkers } from '../support/workers/split-workers.js';
import { instanceIdOf, stateWithInstances } from '../support/worlds/instances.js';
import { manyVideos, video, VIDEO_LIST, wrongly } from '../support/worlds/videos.js';
const CREATE = { method: 'POST', path: CREATE_PATH } as const;
const REFUSED = { kind: 'status', status: 400, body: { message: 'The name is reserved' } } as const;

interface World extends Scenario {
  gcore: GcoreWorkflows;
  requestId: string;
}

async function inWorld(
  test: (world: World) => Promise<void>,
  options: ScenarioOptions = {},
): Promise<void> {
  await inScenario(options, async (scenario) => {
    const { client, taskQueue } = scenario;
    const gcore = createGcoreWorkflows({ client, taskQueue });
    await test({ ...scenario, gcore, requestId: `order-${randomUUID().slice(0, 8)}` });
  });
}

function provision({ gcore, account, requestId }: World, change = {}) {
  const input = { ...provisionInput(), account, ...change };
  return gcore.start('provisionInstance', { requestId, input, urgency: 'bulk' });
}

function endOf(promise: Promise<unknown>): Promise<unknown> {
  return promise.catch((error: unknown) => error);
}

describe('a run that failed', () => {
  it('starts again with its own input, id and urgency, and ends verified', () =>
    inWorld(async (world) => {
      const { gcore, client, simulator, requestId, mutations } = world;
      simulator.faults.add({ match: CREATE, action: REFUSED });
      const { workflowId } = await provision(world);
      const failed = await endOf(gcore.result('provisionInstance', workflowId));

      const retried = await gcore.retry(workflowId);
      const { instanceId } = await gcore.result('provisionInstance', workflowId);
      const run = await client.workflow.getHandle(workflowId).describe();

      expect(failed).toMatchObject({ type: 'InvalidRequest' });
      expect(retried).toEqual({ workflowId, runId: run.runId, operation: 'provisionInstance' });
      expect(simulator.inventory().instances.map(({ id }) => id)).toEqual([instanceId]);
      expect(mutations().filter((call) => call.startsWith('POST'))).toHaveLength(2);
      expect(run.priority).toMatchObject({ priorityKey: 5 });
      expect(run.memo).toHaveProperty('intentDigest');
      expect(await run.staticSummary()).toBe(`provisionInstance ${requestId}`);
      await expect(provision(world)).resolves.toMatchObject({ outcome: 'succeeded-before' });
    }));

  it('and was terminated adopts what it has left', () =>
    inWorld(async (world) => {
      const { gcore, client, simulator, mutations } = world;
      const { workflowId } = await provision(world);
      await until('the create call is sent', () => Promise.resolve(mutations().length > 0));
      await client.workflow.getHandle(workflowId).terminate('a test');

      await gcore.retry(workflowId);
      const { instanceId } = await gcore.result('provisionInstance', workflowId);

      expect(simulator.inventory().instances.map(({ id }) => id)).toEqual([instanceId]);
      expect(mutations()).toHaveLength(1);
    }));

  it('starts again with the input that was corrected', () =>
    inWorld(async (world) => {
      const { gcore, account, simulator } = world;
      const soldOut = { message: 'Not enough capacity', exception_class: 'ForbiddenError' };
      const action = { kind: 'status', status: 403, body: soldOut } as const;
      simulator.faults.add({ match: { ...CREATE, times: Infinity }, action });
      const { workflowId } = await provision(world);
      const isBlocked = async () => (await gcore.status(workflowId)).phase === 'blocked';
      await until('it is blocked', isBlocked);
      const input = { ...provisionInput({ flavor: 'g2-standard-4-8' }), account };
      await gcore.resume(workflowId, { operation: 'provisionInstance', input });
      await until('it is blocked again', isBlocked);
      await gcore.abort(workflowId);
      await endOf(gcore.result('provisionInstance', workflowId));
      simulator.faults.clear();

      await gcore.retry(workflowId);

      await expect(gcore.result('provisionInstance', workflowId)).resolves.toMatchObject({
        flavor: 'g2-standard-4-8',
      });
    }));

  it('starts again with the input that was corrected before a reset', () =>
    inWorld(
      async ({ gcore, client, account, simulator, requestId }) => {
        const operation = 'setInstancePower' as const;
        const off = (of: number) => ({
          ...{ account, projectId: 1, regionId: 1 },
          ...{ instanceId: instanceIdOf(of), action: 'stop' as const },
        });
        const gate = createGate();
        const held = { kind: 'delay', until: gate.opened } as const;
        simulator.faults.add({ match: { method: 'GET' }, action: held });
        const { workflowId } = await gcore.start(operation, { requestId, input: off(1) });
        await until('it looks', () => simulator.inFlight().length > 0);
        await gcore.pause(workflowId);
        await gcore.resume(workflowId, { operation, input: off(2) });
        const run = client.workflow.getHandle(workflowId);
        await resetRun(client, run, 'the first workflow task');
        simulator.faults.add({ match: { method: 'POST' }, action: REFUSED });
        gate.open();
        await endOf(gcore.result(operation, workflowId));

        await gcore.retry(workflowId);
        await gcore.result(operation, workflowId);

        const statuses = simulator.inventory().instances.map(({ status }) => status);
        expect(statuses).toEqual(['ACTIVE', 'SHUTOFF']);
      },
      { state: stateWithInstances([{ of: 1 }, { of: 2 }]) },
    ));

  it('is left alone when a Run Id names an earlier run of its request', () =>
    inWorld(async (world) => {
      const { gcore, client, simulator } = world;
      simulator.faults.add({ match: { ...CREATE, times: 2 }, action: REFUSED });
      const { workflowId } = await provision(world);
      await endOf(gcore.result('provisionInstance', workflowId));
      const { runId } = await client.workflow.getHandle(workflowId).describe();
      await gcore.retry({ workflowId, runId });
      await endOf(gcore.result('provisionInstance', workflowId));

      const again = gcore.retry({ workflowId, runId });

      await expect(again).rejects.toThrow('another run has begun since');
      expect((await gcore.summary(workflowId)).phase).toBe('failed');
    }));

  it('starts once, however many ask for it', () =>
    inWorld(async (world) => {
      const { gcore, simulator } = world;
      simulator.faults.add({ match: CREATE, action: REFUSED });
      const { workflowId } = await provision(world);
      await endOf(gcore.result('provisionInstance', workflowId));

      const answers = await Promise.all([1, 2, 3].map(() => endOf(gcore.retry(workflowId))));
      await gcore.result('provisionInstance', workflowId);

      expect(answers.filter((answer) => !(answer instanceof Error))).toHaveLength(1);
      expect(answers.filter((answer) => answer instanceof RetryRefusedError)).toHaveLength(2);
      expect(simulator.inventory().instances).toHaveLength(1);
    }));
});

describe('a retry', () => {
  it('is refused for an open run, one that has succeeded, a plan and an unknown id', () =>
    inWorld(async (world) => {
      const { gcore, account, requestId, mutations } = world;
      const input = { ...provisionInput(), account };
      const { workflowId } = await provision(world);
      const open = await endOf(gcore.retry(workflowId));
      await gcore.result('provisionInstance', workflowId);
      const succeeded = await endOf(gcore.retry(workflowId));
      const plan = await gcore.startPlan('provisionInstance', { requestId, input });
      const planned = await endOf(gcore.retry(plan.workflowId));
      await gcore.planOf(plan.workflowId);

      expect([open, succeeded, planned]).toMatchObject([
        { refusal: 'open' },
        { refusal: 'succeeded' },
        { refusal: 'plan' },
      ]);
      expect(mutations()).toHaveLength(1);
      await expect(gcore.retry(`nobody-${requestId}`)).rejects.toBeInstanceOf(RunNotFoundError);
    }));
});

describe('an import whose videos failed', () => {
  it('imports only these again, until all are there, and none twice', () =>
    inWorld(
      async ({ gcore, account, requestId, simulator, writeManifest }) => {
        const write = (...fates: (string | undefined)[]): void => {
          const videos = fates.map((fate, at) => video(`video-${at + 1}`, fate));
          writeManifest('may.jsonl', videos);
        };
        write(undefined, 'forbidden', undefined, 'broken');
        const input = { manifest: { url: 'file:may.jsonl' }, account };
        const { workflowId } = await gcore.start('importVideos', { requestId, input });
        await endOf(gcore.result('importVideos', workflowId));
        const unconfirmed = await endOf(gcore.retry(workflowId));
        write(undefined, undefined, undefined, 'broken');
        const first = await gcore.retry(workflowId, { sameLines: true });
        await endOf(gcore.result('importVideos', first.workflowId));
        write(undefined, undefined, undefined, undefined);
        const second = await gcore.retry(workflowId, { sameLines: true });
        const { counts } = await gcore.result('importVideos', second.workflowId);
        const done = await endOf(gcore.retry(workflowId, { sameLines: true }));

        expect(unconfirmed).toMatchObject({ refusal: 'list-may-differ' });
        expect(first).toMatchObject({ workflowId: `${workflowId}.retry-1`, lines: '2 4' });
        expect(second).toMatchObject({ workflowId: `${workflowId}.retry-2`, lines: '4' });
        expect(counts).toMatchObject({ asked: 1, succeeded: 1 });
        expect(done).toMatchObject({ refusal: 'succeeded', workflowId: second.workflowId });
        const names = simulator.inventory().videos.map(({ name }) => name);
        // The failed ones stay until somebody deletes them.
        expect(names.sort()).toEqual([
          ...['video-1', 'video-2', 'video-2', 'video-3'],
          ...['video-4', 'video-4', 'video-4'],
        ]);
      },
      { manifests: {} },
    ));

  it('in its own request needs no confirmation', () =>
    inWorld(async ({ gcore, account, requestId }) => {
      const input = { videos: [video('a'), video('b', 'broken')], account };
      const { workflowId } = await gcore.start('importVideos', { requestId, input });
      await endOf(gcore.result('importVideos', workflowId));

      const retried = await gcore.retry(workflowId);
      await endOf(gcore.result('importVideos', retried.workflowId));

      expect(retried.lines).toBe('2');
    }));
});

describe('a request that a caller has named like the next try of an import', () => {
  it('is not taken for it', () =>
    inWorld(async ({ gcore, account, requestId, simulator }) => {
      const start = async (id: string, ...names: string[]) => {
        const videos = names.map((name) => video(name, name === 'a' ? undefined : 'broken'));
        const { workflowId } = await gcore.start('importVideos', {
          requestId: id,
          input: { videos, account },
        });
        await endOf(gcore.result('importVideos', workflowId));
        return workflowId;
      };
      const workflowId = await start(requestId, 'a', 'b');
      const other = await start(`${requestId}.retry-1`, 'c');
      const before = simulator.inventory().videos.length;

      const retried = await endOf(gcore.retry(workflowId));

      expect(retried).toMatchObject({ refusal: 'other-list', workflowId: other });
      expect(simulator.inventory().videos).toHaveLength(before);
    }));
});

describe('an import that somebody repeats while it is retried', () => {
  it('is left to the repeat, whose report is another one', () =>
    inWorld(async ({ gcore, client, taskQueue, account, requestId, simulator }) => {
      const videos = [video('a'), video('b', 'broken'), video('c')];
      const input = { videos, account };
      const { workflowId } = await gcore.start('importVideos', { requestId, input });
      await endOf(gcore.result('importVideos', workflowId));
      const gate = createGate();
      const racing = beforeQuery(client, 'report', async () => {
        const action = { kind: 'delay', until: gate.opened } as const;
        simulator.faults.add({ match: { ...VIDEO_LIST, times: 1 }, action });
        await gcore.start('importVideos', { requestId, input });
        await until('it has its lines', async () => (await gcore.report(workflowId)).lines !== '');
      });

      const retried = createGcoreWorkflows({ client: racing, taskQueue }).retry(workflowId);

      await expect(retried).rejects.toMatchObject({ workflowId, refusal: 'open' });
      gate.open();
      await endOf(gcore.result('importVideos', workflowId));
      expect(wrongly(simulator, videos)).toEqual({ twice: [], lost: [] });
    }));
});

describe('an import that was cancelled', () => {
  it('goes on as the same request: it takes over what exists and makes the rest', () =>
    inWorld(async ({ gcore, account, requestId, simulator, mutations }) => {
      const videos = manyVideos(1_200);
      const input = { videos, account };
      const { workflowId } = await gcore.start('importVideos', { requestId, input });
      await until('a batch is sent', () => Promise.resolve(mutations().length > 0));
      await gcore.cancel(workflowId);
      const cancelled = await endOf(gcore.result('importVideos', workflowId));

      const retried = await gcore.retry(workflowId);
      const { counts } = await gcore.result('importVideos', workflowId);

      expect(cancelled).toBeInstanceOf(RunCancelledError);
      expect(retried).toMatchObject({ workflowId, operation: 'importVideos' });
      expect(counts).toMatchObject({ asked: 1_200, succeeded: 1_200 });
      expect(wrongly(simulator, videos)).toEqual({ twice: [], lost: [] });
    }));
});

describe('an import without a worker', () => {
  it('is not started again: only a worker knows what failed', () =>
    withSplitWorkers({}, async ({ client, taskQueue, account, workflows }) => {
      const gcore = createGcoreWorkflows({ client, taskQueue, answerWithinMs: 1_000 });
      const input = { videos: [video('a', 'broken')], account };
      const { workflowId } = await gcore.start('importVideos', { requestId: randomUUID(), input });
      await endOf(gcore.result('importVideos', workflowId));
      await workflows.stop();

      expect(await endOf(gcore.retry(workflowId))).toBeInstanceOf(NoAnswerError);
    }));
});
