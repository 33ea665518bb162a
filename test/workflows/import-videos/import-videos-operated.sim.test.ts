import { randomUUID } from 'node:crypto';

import { describe, expect, it } from '@jest/globals';

import { createGcoreWorkflows } from '../../../src/client/index.js';
import type { FindVideosInput } from '../../../src/activities/videos/find-videos.js';
import {
  abortUpdate,
  pauseUpdate,
  resumeUpdate,
  statusQuery,
} from '../../../src/engine/core/messages.js';
import { reportQuery, videosChangedSignal } from '../../../src/contract/wire/messages.js';
import { reportLines } from '../../../src/contract/report-lines.js';
import { DEFAULT_POLL_POLICY } from '../../../src/contract/wire/tasks.js';
import { scalePollPolicy } from '../../../src/engine/core/run-policy.js';
import { createGate } from '../../support/timing/gate.js';
import { toLines } from '../../support/worlds/manifests.js';
import { createHeldLine } from '../held-line.js';
import { inputsOf } from './inputs-of.js';
import { resetRun } from '../../support/runs/reset-run.js';
import { endOfRun, failureOfRun } from '../../support/runs/run-failure.js';
import { testPolicy } from '../../support/runs/test-policy.js';
import { inScenario, type Scenario } from '../../simulation/scenario.js';
import { pass } from '../../support/timing/pass.js';
import { until } from '../../support/timing/until.js';
import { untilBlocked } from '../../support/runs/until-blocked.js';
import {
  BATCH,
  manyVideos,
  NOTHING_WRONG,
  video,
  VIDEO_LIST,
  wrongly,
} from '../../support/worlds/videos.js';
describe('importVideos under an operator', () => {
  it('pauses between two batches, and continues on resume', () => {
    const videos = manyVideos(1_001);
    return inScenario(
      { manifests: { 'a.jsonl': videos } },
      async ({ start, simulator, mutations }) => {
        const gate = createGate();
        simulator.faults.add({ match: BATCH, action: { kind: 'delay', until: gate.opened } });
        const run = await start('importVideos', { manifest: { url: 'file:a.jsonl' } });
        await until('the first batch is sent', () => simulator.inFlight().length > 0);
        await run.executeUpdate(pauseUpdate);
        gate.open();
        await until('the first batch is settled', async () => {
          const { steps } = await run.query(statusQuery);
          return steps[1]?.note?.startsWith('500 of 1001') === true;
        });

        expect(mutations()).toHaveLength(1);
        expect((await run.query(statusQuery)).phase).toBe('paused');
        await run.executeUpdate(resumeUpdate, { args: [{}] });
        await run.result();

        expect(wrongly(simulator, videos)).toEqual(NOTHING_WRONG);
      },
    );
  });

  it.each([
    ['cancelled', (run: Ended) => run.cancel()],
    ['failed', (run: Ended) => run.executeUpdate(abortUpdate, { args: [{}] })],
  ])('ends as %s, and still reports the videos that exist', (phase, end) => {
    const videos = manyVideos(600);
    return inScenario({ manifests: { 'a.jsonl': videos } }, async ({ start, simulator }) => {
      const gate = createGate();
      const second = { ...BATCH, nth: 2 };
      simulator.faults.add({ match: second, action: { kind: 'delay', until: gate.opened } });
      const run = await start('importVideos', { manifest: { url: 'file:a.jsonl' } });
      await until('the second batch is sent', () =>
        simulator.inFlight().some(({ method }) => method === 'POST'),
      );
      await end(run);
      gate.open();
      await endOfRun(run);

      const outcomes = [...reportLines(await run.query(reportQuery))].map(({ outcome }) => outcome);
      expect(await run.query(statusQuery)).toMatchObject({ phase });
      expect(outcomes).toEqual(Array.from({ length: 600 }, () => 'pending'));
      expect(wrongly(simulator, videos)).toEqual(NOTHING_WRONG);
    });
  });

  it('takes over the videos of a cancelled run of the same request', () => {
    const videos = manyVideos(600);
    return inScenario(
      { manifests: { 'a.jsonl': videos } },
      async ({ start, simulator, mutations }) => {
        const input = { manifest: { url: 'file:a.jsonl' } };
        const workflowId = `again-${randomUUID()}`;
        const gate = createGate();
        const second = { ...BATCH, nth: 2 };
        simulator.faults.add({ match: second, action: { kind: 'delay', until: gate.opened } });
        const first = await start('importVideos', input, workflowId);
        await until('the second batch is sent', () =>
          simulator.inFlight().some(({ method }) => method === 'POST'),
        );
        await first.cancel();
        gate.open();
        await endOfRun(first);
        await untilListed(first);

        const again = await start('importVideos', input, workflowId);
        const { counts } = await again.result();

        expect(counts).toMatchObject({ succeeded: 600 });
        // The history repeats what a look is told, so it is told of its own batch alone.
        const looks = await inputsOf<FindVideosInput>(again, 'findVideoBatch');
        expect(looks.map(({ known }) => known)).toEqual([[''], ['']]);
        expect(mutations()).toHaveLength(2);
        expect(wrongly(simulator, videos)).toEqual(NOTHING_WRONG);
      },
    );

    async function untilListed(run: Ended): Promise<void> {
      await until(
        'the end is visible',
        async () => (await run.describe()).status.name !== 'RUNNING',
      );
    }
  });

  it('says that it does not know what the run before it has made, when it ends before it looks', () => {
    const line = createHeldLine('POST');
    return inScenario({ line: line.fetch, timeoutMs: 10_000 }, async ({ start }) => {
      const input = { videos: manyVideos(3) };
      const first = await start('importVideos', input, 'terminated');
      await until('its call has left', line.isHeld);
      await first.terminate();

      const second = await start('importVideos', input, 'terminated');
      await second.cancel();
      await endOfRun(second);
      line.letGo();

      expect((await second.query(statusQuery)).steps[1]).toMatchObject({
        name: 'create videos',
        state: 'outcome-unknown',
        note: 'the run ended before it was known what an earlier run of this request has sent',
      });
    });
  });

  it('takes over the videos that an earlier run made after a batch without any', () =>
    inScenario({}, async ({ start, simulator }) => {
      const videos = [video('unacceptable'), ...manyVideos(3)];
      const input = { videos, canary: 1, tolerate: { percent: 100 } };
      const workflowId = `behind-${randomUUID()}`;
      const gate = createGate();
      const polls = { ...VIDEO_LIST, nth: 3, times: Infinity };
      simulator.faults.add({ match: polls, action: { kind: 'delay', until: gate.opened } });
      const first = await start('importVideos', input, workflowId);
      await until('the videos are made', () => simulator.inventory().videos.length === 3);
      await first.cancel();
      await endOfRun(first);
      gate.open();

      const { counts } = await (await start('importVideos', input, workflowId)).result();

      expect(counts).toMatchObject({ succeeded: 3, byClass: { refused: 1 } });
      expect(simulator.inventory().videos).toHaveLength(3);
    }));

  it('takes them over also where the server lists runs late', () =>
    inScenario({ visibilityLagMs: 60_000 }, async (scenario) => {
      const { client, taskQueue, account, simulator } = scenario;
      const gcore = createGcoreWorkflows({ client, taskQueue });
      const videos = [video('unacceptable'), ...manyVideos(3)];
      const input = { videos, canary: 1, tolerate: { percent: 100 }, account } as const;
      const request = { requestId: `late-${randomUUID()}`, input };
      const gate = createGate();
      const polls = { ...VIDEO_LIST, nth: 3, times: Infinity };
      simulator.faults.add({ match: polls, action: { kind: 'delay', until: gate.opened } });
      const first = await gcore.start('importVideos', request);
      await until('the videos are made', () => simulator.inventory().videos.length === 3);
      await gcore.cancel(first);
      await gcore.result('importVideos', first).catch(() => undefined);
      gate.open();

      const { counts } = await gcore.result(
        'importVideos',
        await gcore.start('importVideos', request),
      );

      expect(counts).toMatchObject({ succeeded: 3, byClass: { refused: 1 } });
      expect(simulator.inventory().videos).toHaveLength(3);
    }));

  it('refuses another list under the id of an earlier run', () => {
    return inScenario({ manifests: { 'a.jsonl': [video('a', 'broken')] } }, async (scenario) => {
      const { start, simulator } = scenario;
      const input = { manifest: { url: 'file:a.jsonl' } };
      const workflowId = `other-${randomUUID()}`;
      await endOfRun(await start('importVideos', input, workflowId));
      scenario.writeManifest('a.jsonl', manyVideos(2));

      const failed = await failureOfRun(await start('importVideos', input, workflowId));

      expect(failed).toMatchObject({ type: 'InvalidInput', details: { step: 'check items' } });
      expect(failed.message).toContain('another list');
      expect(simulator.inventory().videos).toHaveLength(1);
    });
  });

  it('does not take its videos for those of another list when it is reset, and no list of runs shows that yet', () => {
    const videos = manyVideos(3);
    const late = { manifests: { 'a.jsonl': videos }, visibilityLagMs: 60_000 };
    return inScenario(late, async (scenario) => {
      const { start, client, writeManifest } = scenario;
      const run = await start('importVideos', { manifest: { url: 'file:a.jsonl' } });
      await run.result();
      writeManifest('a.jsonl', [...videos.slice(0, 2), video('another')]);

      const again = await resetRun(client, run, 'the first workflow task');

      expect((await failureOfRun(again)).message).toContain('another list of videos');
    });
  });

  // With these seeds, the list shows the run that was terminated, and not yet the one that was reset.
  it.each([24, 59])(
    'takes no videos of a run that was reset for those of another list, when its next run was terminated (seed %s)',
    (seed) => {
      const videos = manyVideos(3);
      const late = { manifests: { 'a.jsonl': videos }, visibilityLagMs: 60_000, seed };
      return inScenario(late, async (scenario) => {
        const { client, taskQueue, account, simulator, writeManifest } = scenario;
        const gcore = createGcoreWorkflows({ client, taskQueue });
        const input = { manifest: { url: 'file:a.jsonl' }, account, waitFor: 'ready' } as const;
        const request = { requestId: `reset-${seed}`, input };
        const { workflowId } = await gcore.start('importVideos', request);
        await until('the videos are made', () => simulator.inventory().videos.length === 3);
        const run = client.workflow.getHandle(workflowId);
        await (await resetRun(client, run, 'the first workflow task')).terminate();
        writeManifest('a.jsonl', [...videos.slice(0, 2), video('another')]);
        await pass(30_000);

        await gcore.start('importVideos', request);

        expect((await failureOfRun(run)).message).toContain('another list of videos');
        expect(simulator.inventory().videos).toHaveLength(3);
      });
    },
  );

  it('blocks when the manifest has changed, and continues when it is restored', () => {
    const videos = manyVideos(600);
    return inScenario({ manifests: { 'a.jsonl': videos } }, async (scenario) => {
      const { start, simulator, writeManifest } = scenario;
      const gate = createGate();
      simulator.faults.add({ match: BATCH, action: { kind: 'delay', until: gate.opened } });
      const run = await start('importVideos', { manifest: { url: 'file:a.jsonl' } });
      await until('the first batch is sent', () => simulator.inFlight().length > 0);
      writeManifest('a.jsonl', toLines(videos).replace('video-555', 'video-554'));
      gate.open();
      await untilBlocked(run, 'ManifestUnreadable');

      writeManifest('a.jsonl', videos);
      await run.executeUpdate(resumeUpdate, { args: [{}] });
      await run.result();

      expect(wrongly(simulator, videos)).toEqual(NOTHING_WRONG);
    });
  });

  it('accepts another list while it is blocked and has made nothing', () =>
    inScenario({}, async ({ start, simulator, account }) => {
      simulator.faults.add({
        match: { ...BATCH, times: 1 },
        action: { kind: 'status', status: 401 },
      });
      const run = await start('importVideos', { videos: manyVideos(1) });
      await untilBlocked(run, 'Unauthorized');
      const input = { account, videos: [video('other')] };
      await run.executeUpdate(resumeUpdate, { args: [{ input }] });

      expect((await run.result()).counts).toMatchObject({ asked: 1, succeeded: 1 });
      expect(simulator.inventory().videos.map(({ name }) => name)).toEqual(['other']);
    }));

  it('fails at its deadline, and reports the pending videos', () =>
    inScenario({}, async ({ start, simulator }) => {
      const gate = createGate();
      const polls = { ...VIDEO_LIST, nth: 3, times: Infinity };
      simulator.faults.add({ match: polls, action: { kind: 'delay', until: gate.opened } });
      const run = await start('importVideos', { videos: manyVideos(2), deadline: '8 seconds' });

      expect((await failureOfRun(run)).type).toBe('DeadlineExceeded');
      gate.open();
      expect((await run.query(reportQuery)).pending).toBe('1-2');
    }));
});

describe('importVideos after the time that it waits for videos', () => {
  const { poll } = testPolicy({ speed: 100 });
  const video = { firstMs: 60_000, usualMs: 1, giveUpMs: 1_000 };
  const policy = { poll: { ...poll, maxMs: 60_000, typical: { ...poll.typical, video } } };
  const untilReady = ({ simulator }: Pick<Scenario, 'simulator'>) =>
    until('both videos are ready', () => {
      const { videos } = simulator.inventory();
      return videos.length === 2 && videos.every(({ status }) => status === 'ready');
    });

  it('gives up no video that it has not looked at since, when a hint names another one', () =>
    inScenario({ policy }, async (scenario) => {
      const run = await scenario.start('importVideos', { videos: manyVideos(2) });
      await untilReady(scenario);
      const readyAt = Date.now();
      await until('that time is over', () => Date.now() > readyAt + video.giveUpMs);

      await run.signal(videosChangedSignal, [1]);

      await expect(run.result()).resolves.toMatchObject({ counts: { succeeded: 2 } });
    }));

  it('gives up no video that one list lacks', () =>
    inScenario({ policy }, async (scenario) => {
      const run = await scenario.start('importVideos', { videos: manyVideos(2) });
      await untilReady(scenario);

      scenario.simulator.faults.add({
        match: VIDEO_LIST,
        action: { kind: 'status', status: 200, body: [] },
      });

      await expect(run.result()).resolves.toMatchObject({ counts: { succeeded: 2 } });
    }));
});

type Ended = Parameters<typeof endOfRun>[0];

describe('importVideos with a long history', () => {
  it('continues in a new one, and keeps all earlier results', () => {
    const videos = manyVideos(1_600).map((item, at) =>
      at % 100 === 0 ? video(`broken-${at}`, 'broken') : item,
    );
    const policy = { mostEvents: 15 };
    return inScenario(
      { manifests: { 'a.jsonl': videos }, policy, record: 'import-went-on' },
      async (scenario) => {
        const { start, simulator, client } = scenario;
        const input = { manifest: { url: 'file:a.jsonl' }, tolerate: { count: 16 } };
        const run = await start('importVideos', input);

        const { counts, report } = await run.result();

        expect(counts).toMatchObject({ succeeded: 1_584, byClass: { encoding: 16 }, pending: 0 });
        expect([...reportLines(report)]).toHaveLength(1_600);
        expect(wrongly(simulator, videos)).toEqual(NOTHING_WRONG);
        const query = `WorkflowId = '${run.workflowId}' AND ExecutionStatus = 'ContinuedAsNew'`;
        await until('its histories are listed', async () => {
          const { count } = await client.workflow.count(query);
          return count >= 2;
        });
      },
    );
  });

  it('fails at the deadline that counts from the first one', () => {
    const policy = { mostEvents: 40, poll: scalePollPolicy(DEFAULT_POLL_POLICY, 1 / 100) };
    return inScenario({ policy, speed: 0.02 }, async ({ start, client }) => {
      const run = await start('importVideos', { videos: manyVideos(3), deadline: '20 seconds' });

      expect((await failureOfRun(run)).type).toBe('DeadlineExceeded');
      const query = `WorkflowId = '${run.workflowId}'`;
      const histories: { startTime: Date; closeTime?: Date | undefined }[] = [];
      await until('its histories are listed', async () => {
        histories.length = 0;
        for await (const history of client.workflow.list({ query })) histories.push(history);
        return histories.length > 3;
      });
      const begunAt = Math.min(...histories.map(({ startTime }) => startTime.getTime()));
      const endedAt = Math.max(...histories.map(({ closeTime }) => closeTime?.getTime() ?? 0));
      expect(endedAt - begunAt).toBeGreaterThanOrEqual(20_000);
      expect(endedAt - begunAt).toBeLessThan(21_000);
    });
  });
});
