import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { describe, expect, it } from '@jest/globals';

import { reportQuery, videosChangedSignal } from '../../../src/contract/wire/messages.js';
import { statusQuery } from '../../../src/engine/core/messages.js';
import { reportLines } from '../../../src/contract/report-lines.js';
import { DEFAULT_POLL_POLICY } from '../../../src/contract/wire/tasks.js';
import { scalePollPolicy } from '../../../src/engine/core/run-policy.js';
import { resetRun } from '../../support/runs/reset-run.js';
import { inScenario, type Scenario } from '../../simulation/scenario.js';
import { createGate } from '../../support/timing/gate.js';
import { until } from '../../support/timing/until.js';
import { newSecret } from '../../support/webhooks/receiver.js';
import { firstRunIdOf } from '../../support/webhooks/while-told.js';
import {
  BATCH,
  manyVideos,
  NOTHING_WRONG,
  VIDEO_LIST,
  wrongly,
} from '../../support/worlds/videos.js';
/** Each look at the videos comes soon, and a history takes only a few of them. */
const SHORT_HISTORIES = {
  mostEvents: 40,
  poll: scalePollPolicy(DEFAULT_POLL_POLICY, 1 / 100),
};

type Started = Awaited<ReturnType<Scenario['start']>>;

async function untilContinued({ client }: Scenario, run: Started, times = 1): Promise<void> {
  const query = `WorkflowId = '${run.workflowId}' AND ExecutionStatus = 'ContinuedAsNew'`;
  await until('its histories are listed', async () => {
    const { count } = await client.workflow.count(query);
    return count >= times;
  });
}

describe('importVideos over several histories', () => {
  it('goes on although a signing secret has been renamed meanwhile, and shows its report and its steps', async () => {
    const secretsFolder = await mkdtemp(join(tmpdir(), 'webhook-secrets-'));
    await writeFile(join(secretsFolder, 'billing'), `${newSecret()}\n`);
    const host = '127.0.0.1:1';
    const secrets = { billing: [host] };
    const webhooks = { hosts: [], privateHosts: [host], secretsFolder, secrets, notify: {} };
    await inScenario({ webhooks, policy: SHORT_HISTORIES, speed: 3 }, async (scenario) => {
      const { start, simulator } = scenario;
      const gate = createGate();
      const run = await start('importVideos', {
        videos: manyVideos(5),
        notify: [{ url: 'http://127.0.0.1:1/hook', secretName: 'billing' }],
      });
      await until('all videos exist', () => simulator.inventory().videos.length === 5);
      await rm(join(secretsFolder, 'billing'));
      await untilContinued(scenario, run);
      simulator.faults.add({
        match: { ...VIDEO_LIST, times: Infinity },
        action: { kind: 'delay', until: gate.opened },
      });
      const { steps } = await run.query(statusQuery);
      const report = await run.query(reportQuery);
      gate.open();

      expect((await run.result()).counts).toMatchObject({ succeeded: 5, failed: 0 });
      expect(report).toMatchObject({ lines: '1-5', videos: [{ lines: '1-5' }] });
      expect(steps.map(({ state }) => state)).toEqual(['verified', 'verified', 'waiting']);
    });
  });

  it('makes nothing twice when an operator resets a later one to its beginning', () => {
    const videos = manyVideos(2_000);
    return inScenario(
      { manifests: { 'a.jsonl': videos }, policy: { mostEvents: 15 } },
      async (scenario) => {
        const { start, simulator, client } = scenario;
        const gate = createGate();
        const run = await start('importVideos', { manifest: { url: 'file:a.jsonl' } });
        simulator.faults.add({
          match: { ...BATCH, nth: 4 },
          action: { kind: 'delay', until: gate.opened },
        });
        await until('the last batch is sent', () =>
          simulator.inFlight().some(({ method }) => method === 'POST'),
        );
        await untilContinued(scenario, run);
        gate.open();
        await until('all videos exist', () => simulator.inventory().videos.length === 2_000);

        const again = await resetRun(client, run, 'the first workflow task');

        expect((await again.result()).counts).toMatchObject({ asked: 2_000, succeeded: 2_000 });
        expect(wrongly(simulator, videos)).toEqual(NOTHING_WRONG);
      },
    );
  });

  it('makes nothing twice when an operator resets it to the end of an earlier one', () => {
    const videos = manyVideos(2_000);
    return inScenario(
      { manifests: { 'a.jsonl': videos }, policy: { mostEvents: 15 } },
      async (scenario) => {
        const { start, simulator, client } = scenario;
        const run = await start('importVideos', {
          manifest: { url: 'file:a.jsonl' },
          waitFor: 'created',
        });
        const first = await firstRunIdOf(client, run.workflowId);
        await run.result();

        const again = await resetRun(client, run, { endOf: first });

        expect((await again.result()).counts).toMatchObject({ asked: 2_000, succeeded: 2_000 });
        expect(wrongly(simulator, videos)).toEqual(NOTHING_WRONG);
      },
    );
  });

  it('makes nothing twice when its request is repeated, also of a batch of one line that a later one has made', () => {
    const videos = manyVideos(501);
    return inScenario(
      { manifests: { 'a.jsonl': videos }, policy: { mostEvents: 60 } },
      async (scenario) => {
        const { start, simulator } = scenario;
        const input = { manifest: { url: 'file:a.jsonl' }, waitFor: 'created' as const };
        const gate = createGate();
        simulator.faults.add({ match: BATCH, action: { kind: 'delay', until: gate.opened } });
        const run = await start('importVideos', input);
        await until('the first batch is sent', () => simulator.inFlight().length > 0);
        // Its history grows as that of the repeat does not.
        for (let sent = 0; sent < 60; sent++) await run.signal(videosChangedSignal, [sent]);
        gate.open();
        await run.result();
        await untilContinued(scenario, run);

        const again = await start('importVideos', input, run.workflowId);

        expect((await again.result()).counts).toMatchObject({ asked: 501, succeeded: 501 });
        expect(wrongly(simulator, videos)).toEqual(NOTHING_WRONG);
      },
    );
  });

  it('keeps the outcome of every line when the lines are scattered', () => {
    const videos = manyVideos(3_000);
    const wanted = videos.map((_, at) => at + 1).filter((line) => line % 3 !== 0);
    return inScenario(
      { manifests: { 'a.jsonl': videos }, policy: { mostEvents: 15 } },
      async (scenario) => {
        const run = await scenario.start('importVideos', {
          manifest: { url: 'file:a.jsonl' },
          lines: wanted.join(' '),
        });

        const { counts, report } = await run.result();

        expect(counts).toMatchObject({ asked: 2_000, succeeded: 2_000 });
        const made = scenario.simulator.inventory().videos;
        const nameOf = new Map(made.map(({ id, name }) => [id, name]));
        const named = [...reportLines(report)].map(({ line, id }) => [line, nameOf.get(id ?? 0)]);
        expect(named).toEqual(wanted.map((line) => [line, `video-${line}`]));
        expect(made).toHaveLength(wanted.length);
        await untilContinued(scenario, run, 2);
      },
    );
  });
});
