import { resolve } from 'node:path';

import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';

import type { Check } from '../../../src/contract/check.js';
import { ownBuilds } from '../../../src/worker/check-api.js';
import { until } from '../../support/timing/until.js';
import { createAttributes } from '../../support/cli/create-attributes.js';
import { createCliWorld, type CliWorld } from '../../support/cli/cli-world.js';
import { runCaptured, type Captured } from '../../support/cli/run-captured.js';

const API: Check[] = [{ name: 'API key', state: 'ok', text: 'taken' }];

let world: CliWorld;

beforeAll(async () => {
  world = await createCliWorld();
});

afterAll(async () => {
  await world.close();
});

function doctor(server: string[], ...options: string[]): Promise<Captured> {
  // The sources have no bundle beside them; the worker of this test runs the built one.
  const services = {
    checkApi: () => Promise.resolve(API),
    ownBuilds: () =>
      // A worker with encryption would have the other one.
      ownBuilds([resolve('dist/workflow-bundle-encrypted.js'), resolve('dist/workflow-bundle.js')]),
  };
  return runCaptured(['doctor', ...options, ...server], { services });
}

describe('doctor', () => {
  it('names what is missing and what to do, and then that all is well', async () => {
    const alone = await doctor(world.server);
    await createAttributes(world);
    const well = await world.withWorker(async () => {
      await until('the workers poll', async () => {
        const { stdout } = await doctor(world.server, '--json');
        return /"workers",\s+"state": "ok"/.test(stdout);
      });
      return doctor(world.server);
    });

    expect(alone.exitCode).toBe(1);
    expect(alone.stdout).toMatch(/^ok +Temporal +answers, version \d/);
    expect(alone.stdout).toMatch(/\nok +namespace +"cli-\w+" exists; ended runs are kept for 24 h/);
    expect(alone.stdout).toMatch(/\nfault +search attributes +missing: GcorePhase/);
    expect(alone.stdout).toContain(
      'what to do: create them, then start the workers again: temporal',
    );
    expect(alone.stdout).toMatch(
      /\nfault +workers +nobody polls gcore-workflows and gcore-api-default/,
    );
    expect(alone.stdout).toMatch(/\n\? +version +cannot be checked: no worker runs/);
    expect(alone.stdout).toMatch(/\nok +API key +taken/);
    expect(alone.stderr).toContain('Not in order: search attributes, workers.');
    expect([well.exitCode, well.stderr]).toEqual([0, '']);
    expect(well.stdout).toMatch(/\nok +workers +gcore-workflows: \d/);
    expect(well.stdout).toMatch(/\nok +version +1 worker with the code of this command/);
  });

  it('names a namespace that does not exist', async () => {
    const [option = '', address = ''] = world.server;
    const { exitCode, stdout } = await doctor(
      [option, address, '--namespace', 'nowhere'],
      '--json',
    );

    expect(exitCode).toBe(1);
    expect(JSON.parse(stdout)).toMatchObject({
      ok: false,
      checks: [
        { name: 'Temporal', state: 'ok' },
        { name: 'namespace', state: 'fault', text: '"nowhere" does not exist on this server' },
        { name: 'search attributes', state: 'unknown' },
        { name: 'workers', state: 'unknown' },
        { name: 'version', state: 'unknown' },
        { name: 'API key', state: 'ok' },
      ],
    });
  });
});
