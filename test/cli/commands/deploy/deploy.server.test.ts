import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { z } from 'zod';

import type { ReplayService } from '../../../../src/cli/services.js';
import { replayOpenRuns } from '../../../../src/worker/replay-open-runs.js';
import { ADDRESS } from '../../../support/inputs/protect-input.js';
import { createCliWorld, type CliWorld } from '../../../support/cli/cli-world.js';
import { runCaptured, type Captured } from '../../../support/cli/run-captured.js';
import { until } from '../../../support/timing/until.js';
import { OWN_BUNDLE, writeDivergingBundle } from '../../../support/workers/newer-version.js';

const deploymentName = 'deploy-test';
const ONE = { version: { deploymentName, buildId: 'one' } };
const TWO = { version: { deploymentName, buildId: 'two' }, account: 'other' };

const HOLD = `protect-ip/default/${ADDRESS}`;
const PROTECT = ['protect', ADDRESS, '--template', '12', '--field', '3=[8080, 8443]'];
const PLACE = ['--project', '1', '--region', '1'];

let world: CliWorld;

beforeEach(async () => {
  world = await createCliWorld();
});

afterEach(async () => {
  await world.close();
});

function cli(...args: string[]): Promise<Captured> {
  const services = { checkApi: () => Promise.resolve([]) };
  return runCaptured([...args, ...world.server], { services });
}

const statusSchema = z.object({
  current: z.string().optional(),
  ramping: z.string().optional(),
  versions: z.array(
    z.object({
      build: z.string(),
      state: z.string(),
      openRuns: z.number(),
      workers: z.number(),
      percentage: z.number().optional(),
    }),
  ),
  troubles: z.array(z.object({ text: z.string(), advice: z.string() })),
});

async function status() {
  const { stdout } = await cli('deploy', 'status', '-o', 'json', '--deployment', deploymentName);
  const { versions, ...rest } = statusSchema.parse(JSON.parse(stdout));
  return { ...rest, versions: new Map(versions.map((version) => [version.build, version])) };
}

/** The server learns of a worker from its first poll, and counts runs a moment later. */
async function seen(what: string, is: (now: Awaited<ReturnType<typeof status>>) => boolean) {
  await until(what, async () => {
    const { exitCode } = await cli('deploy', 'status', '--deployment', deploymentName);
    return exitCode === 0 && is(await status());
  });
}

const polls = (build: string) =>
  seen(`${build} polls`, ({ versions }) => versions.get(build)?.workers === 1);

describe('deploy', () => {
  it('moves new runs to a version and back, and a hold with its lock when it is asked to', async () => {
    await world.withWorker(async () => {
      await polls('one');
      const doctored = await cli('doctor', '--json');
      expect(doctored.stdout).toContain('no version is current and every worker has one');
      const promoted = await cli('deploy', 'promote', 'one', '--yes');
      expect(promoted).toMatchObject({ exitCode: 0 });
      const held = await cli(...PROTECT, ...PLACE, '--hold-for', '1 hour');
      expect(held.exitCode).toBe(0);

      await checkOpenRuns();

      await world.withWorker(async () => {
        await polls('two');
        await rampAndBack();
        expect((await cli('deploy', 'promote', 'two', '--yes')).exitCode).toBe(0);
        await moveHold();
        const back = await cli('deploy', 'rollback', '--yes');
        expect(back.stderr).toContain('All new runs begin at one again');
        expect((await status()).current).toBe('one');
      }, TWO);
    }, ONE);
  });

  it('refuses a version without workers, an unknown one, and a change without a yes', async () => {
    const none = await cli('deploy', 'status');
    await world.withWorker(async () => {
      await polls('one');
      const unknown = await cli('deploy', 'promote', 'three', '--yes');
      const unversioned = await cli('deploy', 'promote', 'unversioned', '--yes');
      const unasked = await cli('deploy', 'promote', 'one');
      const nothingBefore = await cli('deploy', 'rollback', '--yes');

      expect(unknown).toMatchObject({ exitCode: 1, stderr: expect.stringContaining('is unknown') });
      expect(unversioned).toMatchObject({
        exitCode: 0,
        stderr: expect.stringContaining('already'),
      });
      expect(unasked).toMatchObject({ exitCode: 64, stderr: expect.stringContaining('--yes') });
      expect(nothingBefore).toMatchObject({ exitCode: 1 });
      expect((await status()).current).toBeUndefined();
      await cli('deploy', 'promote', 'one', '--yes');
      const away = await cli('deploy', 'promote', 'unversioned', '--yes');
      expect(away).toMatchObject({ exitCode: 1, stderr: expect.stringContaining('no workers') });
      expect((await status()).current).toBe('one');
    }, ONE);

    expect(none).toMatchObject({
      exitCode: 1,
      stderr: expect.stringContaining('No versioned worker'),
    });
  });
});

/** The hold and its lock are open. */
async function checkOpenRuns(): Promise<void> {
  const check = (bundlePath: string) => {
    const services = {
      replayOpenRuns: (service: ReplayService) => replayOpenRuns({ ...service, bundlePath }),
    };
    return runCaptured(['deploy', 'check', '-o', 'json', ...world.server], { services });
  };
  const good = await check(OWN_BUNDLE);
  const bad = await check(writeDivergingBundle(world.folder));

  expect(good.exitCode).toBe(0);
  expect(JSON.parse(good.stdout)).toMatchObject({
    ...{ open: 2, replayed: 2 },
    ...{ broken: [], unreadable: [] },
  });
  expect(bad).toMatchObject({ exitCode: 1, stderr: expect.stringContaining('do not replay') });
  expect(JSON.parse(bad.stdout)).toMatchObject({
    broken: [{ workflowId: HOLD, reason: expect.stringContaining('ondeterminism') }],
  });
}

async function rampAndBack(): Promise<void> {
  expect((await cli('deploy', 'ramp', 'two', '25', '--yes')).exitCode).toBe(0);
  const ramping = await status();
  expect(ramping.versions.get('two')).toMatchObject({ state: 'ramping', percentage: 25 });
  const ended = await cli('deploy', 'rollback', '--yes');
  expect(ended.stderr).toContain('the ramp ends');
  expect(await status()).toMatchObject({ current: 'one' });
  expect((await status()).ramping).toBeUndefined();
}

/** The hold and its lock go from one to two, and the hold still works. */
async function moveHold(): Promise<void> {
  await seen('the hold is at one', ({ versions }) => versions.get('one')?.openRuns === 2);
  const unasked = await cli('deploy', 'drain', 'one');
  expect(unasked.exitCode).toBe(64);
  const drained = await cli('deploy', 'drain', 'one', '--yes');
  expect(drained.stdout).toContain('2 runs asked to move');
  await seen('the hold is at two', ({ versions }) => {
    return versions.get('one')?.openRuns === 0 && versions.get('two')?.openRuns === 2;
  });
  expect((await cli('extend', HOLD, '--for', '2 hours')).exitCode).toBe(0);
  expect((await cli('restore', HOLD)).exitCode).toBe(0);
  expect(JSON.parse((await cli('result', HOLD)).stdout)).toMatchObject({ restored: true });
  expect(world.simulator.inventory().ddosProfiles).toEqual([]);
}
