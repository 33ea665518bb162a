import { writeFile } from 'node:fs/promises';

import { describe, expect, it } from '@jest/globals';

import { provisionInput } from '../../support/inputs/provision-input.js';
import type { CliWorld } from '../../support/cli/cli-world.js';
import { runCaptured } from '../../support/cli/run-captured.js';
import { openCli } from '../open-cli.js';

let world: CliWorld;

const run = openCli('each', (opened) => {
  world = opened;
});

async function give(instance: Parameters<typeof provisionInput>[0]): Promise<string> {
  await writeFile(world.file, JSON.stringify(provisionInput(instance)));
  return world.file;
}

describe('plan', () => {
  it('prints the plan as JSON alone on stdout, and readable on stderr', async () => {
    const { exitCode, stdout, stderr } = await world.withWorker(() =>
      run('plan', 'provisionInstance', world.file),
    );

    expect(exitCode).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({ operation: 'provisionInstance', ready: true });
    expect(stderr).toMatch(/^Plan plan\/provision-instance\/default\/[0-9a-f]{12}@[0-9a-f]{8}$/m);
    expect(stderr).toMatch(/^provisionInstance: ready$/m);
    expect(stderr).toMatch(/^ {2}POST +\/cloud\/v2\/instances\/1\/1 +create the instance/m);
    expect(world.simulator.mutations()).toEqual([]);
  });

  it('ends with its own exit code when the run would not succeed', async () => {
    const file = await give({ flavor: 'huge' });

    const { exitCode, stdout, stderr } = await world.withWorker(() =>
      run('plan', 'provision-instance', file),
    );

    expect(exitCode).toBe(5);
    expect(JSON.parse(stdout)).toMatchObject({ ready: false });
    expect(stderr).toMatch(/^ {2}fault +instance\.flavor +There is no flavor "huge"/m);
    expect(stderr).toContain('NotReady');
  });

  it('plans an invalid input without a server', async () => {
    const file = await give({ volumes: [] });

    const { exitCode, stdout } = await runCaptured(['plan', 'provisionInstance', file]);

    expect(exitCode).toBe(5);
    expect(JSON.parse(stdout)).toMatchObject({
      ready: false,
      findings: [{ severity: 'fault', path: 'instance.volumes' }],
    });
  });

  it('is what `provision --plan` prints; then the same request makes its machine', async () => {
    const name = ['--request-id', 'order-1'];
    const { planned, made, after } = await world.withWorker(async () => ({
      planned: await run('provision', '--file', world.file, '--plan', ...name),
      made: await run('provision', '--file', world.file, ...name),
      after: await run('plan', 'provisionInstance', world.file, ...name),
    }));

    expect(JSON.parse(planned.stdout)).toMatchObject({ ready: true, adopts: [] });
    expect(made.exitCode).toBe(0);
    expect(JSON.parse(made.stdout)).toMatchObject({ adopted: false, status: 'ACTIVE' });
    expect(JSON.parse(after.stdout)).toMatchObject({
      adopts: [{ kind: 'instance' }, { kind: 'volume' }],
    });
    expect(after.stderr).toContain('Would adopt these existing resources:');
  });

  it('makes a run that the other commands know', async () => {
    const { result, explained } = await world.withWorker(async () => {
      const plan = await run('plan', 'provisionInstance', world.file);
      const id = /^Plan (\S+)$/m.exec(plan.stderr)?.[1] ?? '';
      return { result: await run('result', id), explained: await run('explain', id) };
    });

    expect(JSON.parse(result.stdout)).toMatchObject({ plan: { ready: true } });
    expect(explained.exitCode).toBe(0);
  });

  it('refuses an unknown operation', async () => {
    const { exitCode, stderr } = await run('plan', 'provisionServer', world.file);

    expect(exitCode).toBe(64);
    expect(stderr).toContain('provisionInstance');
  });
});
