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
    expect(listed.stdout).toContain('provision-instance/default/fleet-7-3');
    expect(linesOf(readFileSync(results, 'utf8'))).toMatchObject(
      [1, 2, 3].map((line) => ({ workflowId: `provision-instance/default/fleet-7-${line}` })),
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
