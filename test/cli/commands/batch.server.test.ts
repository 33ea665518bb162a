import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { describe, expect, it } from '@jest/globals';

import type { CliWorld } from '../../support/cli/cli-world.js';
import { createAttributes } from '../../support/cli/create-attributes.js';
import { until } from '../../support/timing/until.js';
import { provisionInput } from '../../support/inputs/provision-input.js';
import { openCli } from '../open-cli.js';

let world: CliWorld;

const cli = openCli('each', async (opened) => {
  world = opened;
  await createAttributes(opened);
});

const PLACE = ['--project', '1', '--region', '1'];
const linesOf = (text: string) =>
  text
    .trim()
    .split('\n')
    .map((line): unknown => JSON.parse(line));

/** The list, once it shows so many runs: it is a moment late. */
async function listOf(options: readonly string[], count: number) {
  let listed = await cli('list', ...options);
  await until('the list shows them', async () => {
    listed = await cli('list', ...options);
    return listed.stdout.trim().split('\n').length > count;
  });
  return listed;
}

function fileOf(name: string, content: string): string {
  const path = join(world.folder, name);
  writeFileSync(path, content);
  return path;
}

/** @param last the flavor of the last one */
function fleetOf(names: readonly string[], last?: string): string {
  return names
    .map((name, at) => {
      const isLast = at === names.length - 1;
      return JSON.stringify(provisionInput({ name, ...(isLast && last && { flavor: last }) }));
    })
    .join('\n');
}

describe('many at once', () => {
  it('are one command, one id and one report', async () => {
    const fleet = ['web-a', 'web-b', 'web-c'].map((name) =>
      JSON.stringify(provisionInput({ name })),
    );
    const list = fileOf('fleet.jsonl', fleet.join('\n'));
    const results = join(world.folder, 'done.jsonl');
    const provision = [
      'provision',
      '--file',
      list,
      '--request-id',
      'fleet-7',
      '--results',
      results,
    ];

    const [made, again, planned, listed] = await world.withWorker(async () => [
      await cli(...provision),
      await cli(...provision),
      await cli('provision', '--file', list, '--plan'),
      await listOf(['--group', 'fleet-7'], 3),
    ]);

    expect(made.exitCode).toBe(0);
    expect(JSON.parse(made.stdout)).toMatchObject({
      workflowId: 'run-batch/default/fleet-7',
      counts: { asked: 3, succeeded: 3, failed: 0 },
    });
    expect(again.stderr).toContain('Already done');
    expect(JSON.parse(planned.stdout)).toMatchObject({ ready: true, calls: [{ times: 3 }] });
    expect(listed.stdout).toMatch(/provision-instance\/default\/fleet-7-[0-9a-f]{16}/);
    expect(linesOf(readFileSync(results, 'utf8'))).toMatchObject(
      [1, 2, 3].map((line) => ({ line, workflowId: expect.stringContaining('fleet-7-') })),
    );
    expect(
      world.simulator
        .inventory()
        .instances.map(({ name }) => name)
        .sort(),
    ).toEqual(['web-a', 'web-b', 'web-c']);
  });

  it('protect the addresses of an incident, which are restored together', async () => {
    const addresses = fileOf('addresses.txt', '# web\n203.0.113.7\n\n203.0.113.8\n');
    const protect = [
      'protect',
      '--template',
      '12',
      '--field',
      '3=[8080]',
      '--hold-for',
      '1 hour',
      ...PLACE,
    ];

    const [made, listed, restored] = await world.withWorker(async () => [
      await cli(...protect, '--file', addresses, '--request-id', 'incident-42'),
      await listOf(['--group', 'incident-42'], 2),
      await cli('restore', '--group', 'incident-42', '--yes'),
    ]);

    expect(JSON.parse(made.stdout)).toMatchObject({ counts: { succeeded: 2 } });
    expect(listed.stdout).toContain('protect-ip/default/203.0.113.7');
    expect(restored.stderr + restored.stdout).toContain('203.0.113.8');
  });

  it('are made once each, when a list without a request id is corrected', async () => {
    const typo = fleetOf(['web-a', 'web-b'], 'g9-unknown');
    const key = ['--key', 'instance.name'];

    const [nameless, failed, corrected] = await world.withWorker(async () => [
      await cli('provision', '--file', fileOf('typo.jsonl', typo)),
      await cli('provision', '--file', fileOf('typo.jsonl', typo), ...key),
      await cli('provision', '--file', fileOf('good.jsonl', fleetOf(['web-a', 'web-b'])), ...key),
    ]);

    expect(nameless.exitCode).toBe(64);
    expect(nameless.stderr).toMatch(/--request-id ID.*--key FIELD.*"requestId"/s);
    expect(failed.exitCode).not.toBe(0);
    expect(failed.stderr).toContain('--request-id');
    expect(JSON.parse(corrected.stdout)).toMatchObject({ counts: { succeeded: 2, failed: 0 } });
    expect(corrected.stderr).toContain('1 item had succeeded before');
    const names = world.simulator.inventory().instances.map(({ name }) => name);
    expect(names.sort()).toEqual(['web-a', 'web-b']);
  });

  it('are protected again by the same command, after their holds have ended', async () => {
    const protect = ['protect', '203.0.113.7', '203.0.113.8', '--template', '12', ...PLACE];
    const hold = ['--field', '3=[8080]', '--hold-for', '1 hour', '--group', 'incident'];

    const [first, again] = await world.withWorker(async () => {
      const made = await cli(...protect, ...hold);
      await listOf(['--group', 'incident'], 2);
      await cli('restore', '--group', 'incident', '--yes');
      await until('they are restored', () =>
        Promise.resolve(world.simulator.inventory().ddosProfiles.length === 0),
      );
      return [made, await cli(...protect, ...hold)];
    });

    expect(JSON.parse(first.stdout)).toMatchObject({ counts: { succeeded: 2 } });
    expect(JSON.parse(again.stdout)).toMatchObject({ counts: { succeeded: 2 } });
    expect(again.stderr).not.toContain('Already done');
    expect(world.simulator.inventory().ddosProfiles).toHaveLength(2);
  });

  it('name the lines of all faults, and send nothing', async () => {
    const list = fileOf(
      'fleet.jsonl',
      `${JSON.stringify(provisionInput())}\n{"instance":{}}\nno\n`,
    );
    const ids = fileOf('ids.txt', '# old\nnot-an-id\n');

    const made = await cli('provision', '--file', list);
    const deleted = await cli(
      'delete',
      '--file',
      ids,
      '--volumes',
      'keep',
      '--floating-ips',
      'keep',
    );

    expect(made).toMatchObject({ exitCode: 64, stderr: expect.stringContaining('fleet.jsonl:2') });
    expect(made.stderr).toContain('fleet.jsonl:3');
    expect(deleted).toMatchObject({ exitCode: 64, stderr: expect.stringContaining('ids.txt:2') });
  });
});
