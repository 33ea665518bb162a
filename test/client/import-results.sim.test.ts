import { randomUUID } from 'node:crypto';

import { describe, expect, it } from '@jest/globals';

import {
  createGcoreWorkflows,
  type DetailsProgress,
  type GcoreWorkflows,
} from '../../src/client/index.js';
import type { ItemResult } from '../../src/contract/index.js';
import { mostVideosInOneRead, VIDEO_FIELDS } from '../../src/contract/wire/videos.js';
import { inScenario, type Scenario } from '../simulation/scenario.js';
import { beforeQuery } from '../support/runs/meanwhile.js';
import { createGate } from '../support/timing/gate.js';
import { until } from '../support/timing/until.js';
import { manyVideos, video, VIDEO_LIST } from '../support/worlds/videos.js';

const COUNT = 500;
const LINES = Array.from({ length: COUNT }, (_, at) => at + 1);
const REFUSED = { kind: 'status', status: 400, body: { error: 'no' } } as const;

interface World extends Scenario {
  gcore: GcoreWorkflows;
  workflowId: string;
}

/** A run that has imported so many videos that its report has no room for the details of most of them. */
async function inWorld(test: (world: World) => Promise<void>): Promise<void> {
  await inScenario({ timeoutMs: 15_000 }, async (scenario) => {
    const { client, taskQueue, account } = scenario;
    const gcore = createGcoreWorkflows({ client, taskQueue });
    const input = { account, videos: manyVideos(COUNT), fields: [...VIDEO_FIELDS] };
    const requestId = randomUUID();
    const { workflowId } = await gcore.start('importVideos', { requestId, input });
    await gcore.result('importVideos', workflowId);
    await test({ ...scenario, gcore, workflowId });
  });
}

async function readAll(
  { gcore, workflowId }: World,
  signal?: AbortSignal,
): Promise<{ lines: ItemResult[]; told: DetailsProgress[] }> {
  const told: DetailsProgress[] = [];
  const onDetails = (progress: DetailsProgress): void => {
    told.push(progress);
  };
  const lines: ItemResult[] = [];
  for await (const line of gcore.importResults(workflowId, {
    onDetails,
    ...(signal && { signal }),
  })) {
    lines.push(line);
  }
  return { lines, told };
}

const linesWith = (lines: readonly ItemResult[], field: 'hls_url' | 'iframe_url'): number[] =>
  lines.filter(({ video }) => video?.[field] !== undefined).map(({ line }) => line);

/** Stops while the first reads are in flight, and waits until no run goes on for them. */
async function readUntilStopped(world: World): Promise<Awaited<ReturnType<typeof readAll>>> {
  const { simulator } = world;
  const gate = createGate();
  const action = { kind: 'delay', until: gate.opened } as const;
  simulator.faults.add({ match: { ...VIDEO_LIST, times: Infinity }, action });
  const stop = new AbortController();
  const reading = readAll(world, stop.signal);
  await until('a read is in flight', () => simulator.inFlight().length > 0);
  stop.abort();
  const read = await reading;
  await until('its runs are cancelled', async () => {
    const states = await readsOf(world);
    return states.includes('CANCELLED') && !states.includes('RUNNING');
  });
  simulator.faults.clear();
  gate.open();
  return read;
}

/** How the runs that have read details have ended. */
async function readsOf({ client, account }: World): Promise<string[]> {
  const states: string[] = [];
  const query = `WorkflowId STARTS_WITH "list-videos/${account}/"`;
  for await (const { status } of client.workflow.list({ query })) states.push(status.name);
  return states;
}

describe('the results of an import', () => {
  it('have the details of all videos, and every line when some cannot be read', () =>
    inWorld(async (world) => {
      const { gcore, workflowId, simulator, mutations } = world;
      const { details = [] } = await gcore.report(workflowId);
      simulator.faults.add({ match: VIDEO_LIST, action: REFUSED });
      const failed = await readAll(world);
      const stopped = await readUntilStopped(world);
      const whole = await readAll(world);

      const kept = details.filter(({ hls_url: link }) => link !== undefined).length;
      const asked = COUNT - kept;
      // Two reads do not do.
      expect(asked).toBeGreaterThan(2 * mostVideosInOneRead(VIDEO_FIELDS));
      expect(whole.lines.map(({ line }) => line)).toEqual(LINES);
      expect(whole.lines.filter(({ id, video }) => id === undefined || id !== video?.id)).toEqual(
        [],
      );
      expect(linesWith(whole.lines, 'hls_url')).toEqual(LINES);
      // Only the report has this field: the answer that made the video has said it.
      expect(linesWith(whole.lines, 'iframe_url')).toHaveLength(
        details.filter(({ iframe_url: page }) => page !== undefined).length,
      );
      expect(whole.told[0]).toEqual({ asked, read: 0, unread: 0 });
      expect(whole.told.at(-1)).toEqual({ asked, read: asked, unread: 0 });

      const { unread = 0, ...end } = failed.told.at(-1) ?? {};
      expect(unread).toBeGreaterThan(0);
      expect(end).toMatchObject({ read: asked - unread, error: { type: 'InvalidRequest' } });
      expect(failed.lines.map(({ line }) => line)).toEqual(LINES);
      expect(linesWith(failed.lines, 'hls_url')).toHaveLength(COUNT - unread);

      expect(stopped.lines.map(({ line }) => line)).toEqual(LINES);
      expect(stopped.told.at(-1)).toEqual({ asked, read: 0, unread: asked });
      expect(mutations()).toEqual(['POST /streaming/videos/batch']);
    }));

  it('are those of one run, also when somebody repeats the import meanwhile', () =>
    inScenario({ replays: false }, async (scenario) => {
      const { client, taskQueue, account } = scenario;
      const gcore = createGcoreWorkflows({ client, taskQueue });
      const videos = [video('a'), video('b', 'broken')];
      const request = { requestId: randomUUID(), input: { account, videos } };
      const { workflowId } = await gcore.start('importVideos', request);
      await gcore.result('importVideos', workflowId).catch(() => undefined);
      const racing = beforeQuery(client, 'report', async () => {
        await gcore.start('importVideos', request);
        await gcore.pause(workflowId);
      });

      const asked = createGcoreWorkflows({ client: racing, taskQueue });
      const { lines } = await readAll({ ...scenario, gcore: asked, workflowId });

      expect(lines.map(({ outcome }) => outcome)).toEqual(['viewable', 'failed']);
      await gcore.abort(workflowId);
    }));
});
