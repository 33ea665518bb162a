import { describe, expect, it } from '@jest/globals';

import { createGcoreWorkflows } from '../../../src/client/index.js';
import { startRun } from '../../../src/client/start-run.js';
import { createHeldLine } from '../held-line.js';
import { mostPerMarker } from '../../support/worlds/marked.js';
import { CREATE_PATH, provisionInput } from '../../support/inputs/provision-input.js';
import { inScenario, type Scenario } from '../../simulation/scenario.js';
import { callByHand } from '../../support/http/call-by-hand.js';
import { abortUpdate } from '../../../src/engine/core/messages.js';
import { endOfRun, failureOfRun } from '../../support/runs/run-failure.js';
import { untilBlocked } from '../../support/runs/until-blocked.js';
import { pass } from '../../support/timing/pass.js';
import { until } from '../../support/timing/until.js';
import { BATCH, manyVideos, NOTHING_WRONG, wrongly } from '../../support/worlds/videos.js';
describe('a run that is terminated right after its call, and started again immediately', () => {
  it('waits for the old call in flight, and creates no duplicate', async () => {
    const marked = mostPerMarker();
    const line = createHeldLine('POST');
    const settings = { line: line.fetch, onChange: marked.see, timeoutMs: 10_000 };
    await inScenario(settings, async ({ start, simulator }) => {
      const first = await start('provisionInstance', provisionInput(), 'terminated');
      await until('its call has left', line.isHeld);
      await first.terminate('by an operator');
      const before = line.looks();
      const second = await start('provisionInstance', provisionInput(), 'terminated');
      await until('the second run has looked', () => line.looks() > before);
      line.letGo();

      const { instanceId } = await second.result();

      expect(simulator.inventory().instances.map(({ id }) => id)).toEqual([instanceId]);
      expect(marked.most()).toBe(1);
    });
  });

  it('knows of the old run from who has started it, where the server lists runs late', async () => {
    const marked = mostPerMarker();
    const line = createHeldLine('POST');
    const settings = { line: line.fetch, onChange: marked.see, visibilityLagMs: 60_000 };
    await inScenario(settings, async ({ client, taskQueue, simulator, account }) => {
      const gcore = createGcoreWorkflows({ client, taskQueue });
      const request = { requestId: 'at-once', input: { ...provisionInput(), account } };
      const { workflowId } = await gcore.start('provisionInstance', request);
      await until('its call has left', line.isHeld);
      await client.workflow.getHandle(workflowId).terminate('by an operator');
      const before = line.looks();
      await gcore.start('provisionInstance', request);
      await until('the second run has looked', () => line.looks() > before);
      line.letGo();

      const { instanceId } = await gcore.result('provisionInstance', workflowId);

      expect(simulator.inventory().instances.map(({ id }) => id)).toEqual([instanceId]);
      expect(marked.most()).toBe(1);
    });
  });

  it('knows of it although its client stood still since it saw the run before that one', async () => {
    const marked = mostPerMarker();
    const line = createHeldLine('POST');
    const waits = { timeoutMs: 30_000, visibilityLagMs: 60_000 };
    const settings = { line: line.fetch, onChange: marked.see, ...waits };
    await inScenario(settings, async ({ client, taskQueue, simulator, account }) => {
      const gcore = createGcoreWorkflows({ client, taskQueue });
      const request = { requestId: 'still', input: { ...provisionInput(), account } };
      const { workflowId } = await gcore.start('provisionInstance', request);
      await gcore.cancel(workflowId);
      await endOfRun(client.workflow.getHandle(workflowId)).catch(() => undefined);
      let tries = 0;
      let before = Infinity;
      const standStill = async (): Promise<void> => {
        if (++tries !== 2) return;
        await gcore.start('provisionInstance', request);
        await until('its call has left', line.isHeld);
        await client.workflow.getHandle(workflowId).terminate('by an operator');
        await pass(5_000);
        before = line.looks();
      };
      await startRun(
        {
          ...{ client, taskQueue, by: 'tester', answerWithinMs: 5_000, endWithinMs: 5_000 },
          clearSecrets: () => Promise.resolve('refuse' as const),
          beforeStart: standStill,
        },
        'provisionInstance',
        request,
      );
      await until('the third run has looked', () => line.looks() > before);
      line.letGo();

      const { instanceId } = await gcore.result('provisionInstance', workflowId);

      expect(simulator.inventory().instances.map(({ id }) => id)).toEqual([instanceId]);
      expect(marked.most()).toBe(1);
    });
  });

  it('waits for the old call in every region that it names', async () => {
    const marked = mostPerMarker();
    // The first region has no capacity. The call to the second one is held.
    const line = createHeldLine('POST', 2);
    const settings = { line: line.fetch, onChange: marked.see, timeoutMs: 10_000 };
    await inScenario(settings, async ({ start, simulator }) => {
      const body = { exception_class: 'ForbiddenError', message: 'Not enough capacity' };
      simulator.faults.add({
        match: { method: 'POST', path: CREATE_PATH },
        action: { kind: 'status', status: 403, body },
      });
      const input = provisionInput({}, { alternatives: [{ regionId: 2 }] });
      const first = await start('provisionInstance', input, 'terminated-elsewhere');
      await until('its call to the other region has left', line.isHeld);
      await first.terminate('by an operator');
      const before = line.looks();
      const second = await start('provisionInstance', input, 'terminated-elsewhere');
      await until('the second run has looked', () => line.looks() > before + 1);
      line.letGo();

      const { regionId } = await second.result();

      expect([regionId, marked.most()]).toEqual([2, 1]);
      expect(simulator.inventory().instances).toHaveLength(1);
    });
  });

  it.each([
    ['another region', {}, { regionId: 2 }],
    ['another project', {}, { projectId: 2 }],
    ['no other region any more', { alternatives: [{ regionId: 2 }] }, {}],
  ])('is refused with %s: what the old run has made would not be found', async (_, was, is) => {
    const line = createHeldLine('POST');
    await inScenario({ line: line.fetch }, async ({ start, simulator }) => {
      const first = await start('provisionInstance', provisionInput({}, was), 'terminated-moved');
      await until('its call has left', line.isHeld);
      await first.terminate('by an operator');
      line.letGo();
      const second = await start('provisionInstance', provisionInput({}, is), 'terminated-moved');

      const { type, details } = await failureOfRun(second);

      const path = 'projectId' in is ? 'projectId' : 'regionId';
      expect([type, details.faults?.map((fault) => fault.path)]).toEqual(['InvalidInput', [path]]);
      await until('the old call has arrived', () => simulator.inventory().instances.length > 0);
      expect(simulator.inventory().instances).toHaveLength(1);
    });
  });

  it('is refused where the worker has other defaults now', async () => {
    const line = createHeldLine('POST');
    const defaults = { projectId: 1, regionId: 1 };
    const { instance } = provisionInput();
    const input = { instance };
    await inScenario({ line: line.fetch, defaults }, async ({ start, simulator }) => {
      const first = await start('provisionInstance', input, 'terminated-defaults');
      await until('its call has left', line.isHeld);
      await first.terminate('by an operator');
      line.letGo();
      defaults.regionId = 2;
      const second = await start('provisionInstance', input, 'terminated-defaults');

      const { message } = await failureOfRun(second);

      expect(message).toContain('may have made it in region 1 of project 1');
      await until('the old call has arrived', () => simulator.inventory().instances.length > 0);
      expect(simulator.inventory().instances).toHaveLength(1);
    });
  });

  it('may have more regions, and one of them first', async () => {
    const line = createHeldLine('POST');
    await inScenario({ line: line.fetch }, async ({ start, simulator }) => {
      const first = await start('provisionInstance', provisionInput(), 'terminated-wider');
      await until('its call has left', line.isHeld);
      await first.terminate('by an operator');
      line.letGo();
      const wider = provisionInput({}, { regionId: 2, alternatives: [{ regionId: 1 }] });
      const second = await start('provisionInstance', wider, 'terminated-wider');

      const { regionId } = await second.result();

      expect(regionId).toBe(1);
      expect(simulator.inventory().instances).toHaveLength(1);
    });
  });

  it('creates no duplicate video of an import', async () => {
    const line = createHeldLine('POST');
    const videos = manyVideos(3);
    const settings = { line: line.fetch, timeoutMs: 10_000 };
    await inScenario(settings, async ({ start, simulator }) => {
      const first = await start('importVideos', { videos }, 'terminated-import');
      await until('its batch has left', line.isHeld);
      await first.terminate('by an operator');
      const before = line.looks();
      const second = await start('importVideos', { videos }, 'terminated-import');
      await until('the second run has looked', () => line.looks() > before);
      line.letGo();

      const { counts } = await second.result();

      expect(counts).toMatchObject({ succeeded: 3, failed: 0 });
      expect(wrongly(simulator, videos)).toEqual(NOTHING_WRONG);
    });
  });
});

describe('a run that has ended by itself, and is started again before the API lists what it has made', () => {
  const settings = { policy: { reconcileGraceMs: 10_000 } };

  it.each([
    ['aborted', (run: Ended) => run.executeUpdate(abortUpdate, { args: [{}] })],
    ['cancelled', (run: Ended) => run.cancel()],
  ])('takes over the instance that was kept when it was %s', (_how, end) => {
    const marked = mostPerMarker();
    return inScenario({ ...settings, onChange: marked.see }, async ({ start, simulator }) => {
      simulator.faults.add({
        match: { method: 'POST', path: CREATE_PATH },
        action: { kind: 'list-lag', ms: 8_000 },
      });
      simulator.faults.add({
        match: { method: 'GET', path: ONE, times: 30 },
        action: { kind: 'status', status: 503 },
      });
      const input = provisionInput({}, { onFailure: 'keep' });
      const first = await start('provisionInstance', input, 'kept');
      await until(
        'the instance is up',
        () => simulator.inventory().instances[0]?.status === 'ACTIVE',
      );
      await end(first);
      await endOfRun(first);
      simulator.faults.clear();

      const second = await start('provisionInstance', input, 'kept');
      const { instanceId, adopted } = await second.result();

      expect(marked.most()).toBe(1);
      expect(adopted).toBe(true);
      expect(simulator.inventory().instances.map(({ id }) => id)).toEqual([instanceId]);
    });
  });

  it('knows of it from who has started it, where the server lists runs late', () => {
    const videos = manyVideos(3);
    const late = { ...settings, visibilityLagMs: 600_000 };
    return inScenario(late, async ({ client, taskQueue, simulator, account }) => {
      const gcore = createGcoreWorkflows({ client, taskQueue });
      const request = { requestId: 'kept-late', input: { videos, account } };
      simulator.faults.add({ match: BATCH, action: { kind: 'list-lag', ms: 8_000 } });
      const { workflowId } = await gcore.start('importVideos', request);
      await until('its videos are made', () => simulator.inventory().videos.length === 3);
      const first = client.workflow.getHandle(workflowId);
      await first.executeUpdate(abortUpdate, { args: [{}] });
      await endOfRun(first);

      await gcore.start('importVideos', request);
      await gcore.result('importVideos', workflowId);

      expect(wrongly(simulator, videos)).toEqual(NOTHING_WRONG);
    });
  });

  it('waits for nothing when everything was undone', () =>
    inScenario(settings, async ({ start, simulator }) => {
      simulator.faults.add({
        match: { method: 'GET', path: ONE, times: 30 },
        action: { kind: 'status', status: 503 },
      });
      const first = await start('provisionInstance', provisionInput(), 'undone');
      await until(
        'the instance is up',
        () => simulator.inventory().instances[0]?.status === 'ACTIVE',
      );
      await first.cancel();
      simulator.faults.clear();
      await endOfRun(first);

      const second = await start('provisionInstance', provisionInput(), 'undone');
      await second.result();

      const { startTime, closeTime = new Date(NaN) } = await second.describe();
      expect(closeTime.getTime() - startTime.getTime()).toBeLessThan(10_000);
    }));

  it('makes no video of an import again', () => {
    const videos = manyVideos(3);
    return inScenario(settings, async ({ start, simulator }) => {
      simulator.faults.add({ match: BATCH, action: { kind: 'list-lag', ms: 8_000 } });
      const first = await start('importVideos', { videos }, 'kept-import');
      await until('its videos are made', () => simulator.inventory().videos.length === 3);
      await first.executeUpdate(abortUpdate, { args: [{}] });
      await endOfRun(first);

      const second = await start('importVideos', { videos }, 'kept-import');
      const { counts } = await second.result();

      expect(counts).toMatchObject({ succeeded: 3, failed: 0 });
      expect(wrongly(simulator, videos)).toEqual(NOTHING_WRONG);
    });
  });
});

type Ended = Awaited<ReturnType<Scenario['start']>>;

const ONE = /\/instances\/1\/1\/./;

/** A run whose instance is up, and that cannot see it yet. Its deletion takes long from now on. */
async function startUnverified({ start, simulator }: Scenario, workflowId: string) {
  simulator.faults.add({
    match: { method: 'GET', path: ONE, times: Infinity },
    action: { kind: 'status', status: 503 },
  });
  const run = await start('provisionInstance', provisionInput(), workflowId);
  await until('the instance is up', () => simulator.inventory().instances[0]?.status === 'ACTIVE');
  simulator.faults.add({
    match: { method: 'DELETE', path: ONE },
    action: { kind: 'slow-task', factor: 50 },
  });
  return run;
}

const mend = ({ simulator }: Scenario): void => {
  simulator.faults.clear();
  simulator.faults.add({
    match: { method: 'DELETE', path: ONE },
    action: { kind: 'slow-task', factor: 50 },
  });
};

describe('an instance whose deletion goes on', () => {
  it('is not taken over from a run that was terminated while it undid its work', async () => {
    const marked = mostPerMarker();
    await inScenario({ onChange: marked.see }, async (scenario) => {
      const { start, simulator, mutations } = scenario;
      const first = await startUnverified(scenario, 'terminated-undo');
      mend(scenario);
      await first.cancel();
      await until('its deletion goes on', () =>
        mutations().some((call) => call.startsWith('DELETE')),
      );
      await first.terminate('by an operator');

      const second = await start('provisionInstance', provisionInput(), 'terminated-undo');
      const { adopted, instanceId } = await second.result();

      expect([adopted, marked.most()]).toEqual([false, 1]);
      expect(simulator.inventory().instances.map(({ id }) => id)).toEqual([instanceId]);
    });
  });

  it('is no success of the run that has made it', () =>
    inScenario({}, async (scenario) => {
      const { api, simulator } = scenario;
      const run = await startUnverified(scenario, 'deleted-by-hand');
      const [made] = simulator.inventory().instances;
      await callByHand(api, `DELETE /cloud/v1/instances/1/1/${made?.id ?? ''}`);
      mend(scenario);

      await untilBlocked(run, 'OutcomeUnknown');
      expect(simulator.inventory().instances).toEqual([]);
      await run.terminate();
    }));
});

describe('a volume that a terminated run has left', () => {
  it('is named by the run that makes the instance then', () =>
    inScenario({}, async ({ start, simulator }) => {
      simulator.faults.add({
        match: { method: 'POST', path: CREATE_PATH },
        action: { kind: 'task-error', error: 'internal error', leftovers: 'volume' },
      });
      simulator.faults.add({
        match: { method: 'DELETE', times: Infinity },
        action: { kind: 'status', status: 503 },
      });
      const first = await start('provisionInstance', provisionInput(), 'terminated-volume');
      await until('it undoes its work', () =>
        simulator.requests.some(({ method }) => method === 'DELETE'),
      );
      await first.terminate('by an operator');
      simulator.faults.clear();
      const [left] = simulator.inventory().volumes;

      const second = await start('provisionInstance', provisionInput(), 'terminated-volume');
      const { ledger } = await second.result();

      expect(ledger[0]?.note).toContain(`has left volume ${left?.id ?? 'none'}: delete`);
      expect(ledger[0]?.resources).not.toContainEqual({ kind: 'volume', id: left?.id });
    }));
});
