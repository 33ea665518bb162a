import { readFileSync } from 'node:fs';

import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';

import type { ReplayService } from '../../../../src/cli/services.js';
import { replayOpenRuns } from '../../../../src/worker/replay-open-runs.js';
import { ADDRESS } from '../../../support/inputs/protect-input.js';
import { createCliWorld, type CliWorld } from '../../../support/cli/cli-world.js';
import { runCaptured, type Captured } from '../../../support/cli/run-captured.js';
import { openTemporalCli } from '../../../support/cli/temporal-cli.js';
import { until } from '../../../support/timing/until.js';
import { OWN_BUNDLE, writeDivergingBundle } from '../../../support/workers/newer-version.js';

const deploymentName = 'gcore-workflows';
const OLD = { version: { deploymentName, buildId: 'OLD' } };
const NEW = { version: { deploymentName, buildId: 'NEW' }, account: 'other' };

const HOLD = `protect-ip/default/${ADDRESS}`;
const PROTECT = ['protect', ADDRESS, '--template', '12', '--field', '3=[8080, 8443]'];
const PLACE = ['--project', '1', '--region', '1'];

const page = readFileSync('docs/upgrade.md', 'utf8');

let world: CliWorld;
let temporal: Awaited<ReturnType<typeof openTemporalCli>>;

beforeEach(async () => {
  world = await createCliWorld();
  temporal = await openTemporalCli(world.server);
});

afterEach(async () => {
  await world.close();
});

function cli(...args: string[]): Promise<Captured> {
  const services = { checkApi: () => Promise.resolve([]) };
  return runCaptured([...args, ...world.server], { services });
}

const doctor = async () => (await cli('doctor')).stdout;
/** A busy server does not answer each question in time: then `doctor` says that it could not check. */
const doctorSays = (text: string) =>
  until(`doctor says: ${text}`, async () => (await doctor()).includes(text));

/** The command of the page that has all of these parts, word by word. */
function documented(...parts: readonly string[]): string[] {
  const found = page
    .split('\n')
    .filter((line) => line.startsWith('temporal ') && parts.every((part) => line.includes(part)));
  const [line = ''] = found;
  expect({ parts, found: found.length }).toEqual({ parts, found: 1 });
  return (line.match(/"[^"]*"|\S+/g) ?? []).slice(1).map((word) => word.replaceAll('"', ''));
}

/** Runs a command as the page has it, as a script does. */
function change(...parts: readonly string[]): Promise<string> {
  return temporal(...documented(...parts), '--yes');
}

const look = (...parts: readonly string[]) => temporal(...documented(...parts));

const openAtOld = () => look('workflow count', 'gcore-workflows:OLD');

describe('a deployment as docs/upgrade.md has it', () => {
  it('moves new runs to a version and back, and a hold with its lock when it is asked to', async () => {
    await world.withWorker(async () => {
      await until('doctor sees OLD', async () =>
        (await doctor()).includes('no version is current and every worker has one'),
      );
      await change('set-current-version', '--build-id OLD');
      const held = await cli(...PROTECT, ...PLACE, '--hold-for', '1 hour');
      expect(held.exitCode).toBe(0);
      await checkOpenRuns();

      await world.withWorker(async () => {
        await until('doctor sees NEW', async () => (await doctor()).includes('NEW: 1 worker'));
        await rampAndBack();
        await change('set-current-version', '--build-id NEW');
        await moveHold();
        await change('set-current-version', '--build-id OLD');
        await doctorSays('OLD is current');
      }, NEW);
    }, OLD);
  });

  it('leads back to workers without a version', async () => {
    await world.withWorker(async () => {
      await until('a version is there', async () => (await doctor()).includes('no version'));
      await change('set-current-version', '--build-id OLD');
      await doctorSays('OLD is current');
      await change('set-current-version', '--unversioned');

      await doctorSays('no version is current');
      expect(await look('workflow count', 'Version IS NULL')).toContain('Total: 0');
    }, OLD);
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
    open: 2,
    replayed: 2,
    broken: [],
    unreadable: [],
  });
  expect(bad).toMatchObject({ exitCode: 1, stderr: expect.stringContaining('do not replay') });
  expect(JSON.parse(bad.stdout)).toMatchObject({
    broken: [{ workflowId: HOLD, reason: expect.stringContaining('ondeterminism') }],
  });
}

async function rampAndBack(): Promise<void> {
  await change('set-ramping-version', '--percentage 10');
  await doctorSays('OLD is current, NEW is ramping');
  await change('set-ramping-version', '--delete');
  await until('doctor sees no ramp', async () => {
    const said = await doctor();
    return said.includes('OLD is current') && !said.includes('ramping');
  });
}

/** The hold and its lock go from OLD to NEW, and the hold still works. */
async function moveHold(): Promise<void> {
  await until('the hold and its lock are at OLD', async () =>
    (await openAtOld()).includes('Total: 2'),
  );
  expect(await look('workflow list', 'gcore-workflows:OLD')).toContain(HOLD);
  expect(await look('worker deployment describe --name')).toContain('NEW');
  expect(await look('describe-version', '--build-id OLD')).toContain('draining');
  await change('workflow signal', 'gcore-workflows:OLD');
  await until('nothing is at OLD', async () => (await openAtOld()).includes('Total: 0'));
  expect((await cli('extend', HOLD, '--for', '2 hours')).exitCode).toBe(0);
  expect((await cli('restore', HOLD)).exitCode).toBe(0);
  expect(JSON.parse((await cli('result', HOLD)).stdout)).toMatchObject({ restored: true });
  expect(world.simulator.inventory().ddosProfiles).toEqual([]);
}
