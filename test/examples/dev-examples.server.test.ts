import { execFile } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { promisify } from 'node:util';

import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Connection } from '@temporalio/client';

import { connectGcoreWorkflows, type ConnectedGcoreWorkflows } from '../../src/client/index.js';
import {
  operationSchemas,
  StepState,
  type Operation,
  type Operations,
} from '../../src/contract/index.js';
import { parseInput } from '../../src/engine/schema/parse-input.js';
import { createDevFolder, freeDevOptions, type DevFolder } from '../support/cli/dev-process.js';
import { until } from '../support/timing/until.js';

const run = promisify(execFile);

let folder: DevFolder;
let gcore: ConnectedGcoreWorkflows;
let address = '';

beforeAll(async () => {
  folder = await createDevFolder();
  const dev = await freeDevOptions(50);
  ({ address } = dev);
  await folder.start(dev.options);
  gcore = await connectGcoreWorkflows({
    config: { connectionOptions: { address }, namespace: 'default' },
  });
});

afterAll(async () => {
  await gcore.close();
  await folder.remove();
});

/** Runs the built command line and returns its stdout. */
async function cli(...args: string[]): Promise<string> {
  const { stdout } = await run(process.execPath, ['dist/cli/main.js', ...args], {
    env: { ...process.env, TEMPORAL_ADDRESS: address },
  });
  return stdout;
}

/** Starts the operation with an example file as its input, and returns the id of the run. */
async function startExample(operation: Operation, file: string): Promise<string> {
  const input = inputOf(operation, file);
  const requestId = basename(file, '.json');
  const { workflowId } = await gcore.start(operation, { requestId, input });
  return workflowId;
}

function inputOf<O extends Operation>(operation: O, file: string): Operations[O]['input'] {
  const json: unknown = JSON.parse(readFileSync(join('examples', file), 'utf8'));
  const parsed = parseInput(operationSchemas[operation].input, json);
  if (parsed.ok) return parsed.value;
  throw new Error(JSON.stringify(parsed.faults));
}

/** The commands of the README's part "Try it with your own input", without what a pipe does with them. */
function commandsOfReadme(): string[][] {
  const lines = readFileSync('README.md', 'utf8').split('\n');
  const commands = lines.flatMap(
    (line) => /^\.\/gcore-workflows (?<words>[^|]+)/.exec(line)?.groups?.['words'] ?? [],
  );
  return commands.map((words) => words.trim().split(' '));
}

describe('the Temporal server of `gcore-workflows dev`', () => {
  it('has the Nexus endpoint that the example calls', async () => {
    const connection = await Connection.connect({ address });
    const { endpoints } = await connection.operatorService.listNexusEndpoints({});
    await connection.close();

    expect(endpoints).toMatchObject([{ spec: { name: 'gcore-workflows' } }]);
  });
});

describe('everything that the README offers works against dev', () => {
  it('its commands, in their order', async () => {
    const commands = commandsOfReadme();

    const printed = [];
    for (const words of commands) printed.push(await cli(...words));

    expect(commands.map(([name]) => name)).toEqual(['provision', 'status', 'list']);
    expect(printed[0]).toContain('"status": "ACTIVE"');
    expect(printed[2]).toContain('provision-instance/default/order-4711');
  });

  it('an instance with alternatives', async () => {
    const id = await startExample('provisionInstance', 'provision-with-alternatives.json');

    expect(await gcore.result('provisionInstance', id)).toMatchObject({ status: 'ACTIVE' });
  });

  it('the protection of an address for a time', async () => {
    const id = await startExample('protectIp', 'protect-ip.json');
    await until('the address is protected', async () => {
      const { steps } = await gcore.status(id);
      return steps.some(
        ({ name, state }) => name === 'hold protection' && state === StepState.waiting,
      );
    });

    await cli('restore', id);

    expect(await gcore.result('protectIp', id)).toMatchObject({ created: true, restored: true });
  });

  it('items for a KV store', async () => {
    const printed = await cli('kv-push', 'examples/kv-items.json', '--store', '17');

    expect(JSON.parse(printed)).toMatchObject({ storeId: 17, items: 3, delCount: 1 });
  });

  it('videos as an input and as a list', async () => {
    const id = await startExample('importVideos', 'import-videos.json');
    const printed = await cli('import', 'examples/videos.jsonl', '--request-id', 'list');

    expect(await gcore.result('importVideos', id)).toMatchObject({ counts: { succeeded: 2 } });
    expect(JSON.parse(printed)).toMatchObject({ counts: { succeeded: 3 } });
  });

  it('SSH keys for an SFTP storage, next to the key that it has', async () => {
    const id = await startExample('grantSftpAccess', 'grant-sftp-access.json');

    const { keys, before } = await gcore.result('grantSftpAccess', id);

    expect(keys.map(({ name }) => name)).toEqual(['ingest', 'audit']);
    expect(before).toHaveLength(1);
    const listed: unknown = JSON.parse(await cli('ssh-keys'));
    expect(listed).toMatchObject({ count: 3 });
  });

  it.each([
    ['resizeInstance', 'resize-instance.json', 'instanceId'],
    ['moveFloatingIp', 'move-floating-ip.json', 'floatingIpId'],
    ['replaceInstance', 'replace-instance.json', 'floatingIpId'],
  ] as const)('a plan of %s, for what does not exist', async (operation, file, path) => {
    const input = inputOf(operation, file);

    const { ready, findings } = await gcore.plan(operation, { input });

    expect(ready).toBe(false);
    expect(findings).toContainEqual(expect.objectContaining({ severity: 'fault', path }));
  });

  it('the deletion of the instance of the first command', async () => {
    const id = await startExample('deleteInstance', 'delete-instance.json');

    expect(await gcore.result('deleteInstance', id)).toMatchObject({ name: 'web-1' });
  });

  it('a fleet by one command, and the plan of a batch', async () => {
    const made = await cli(
      'provision',
      '--file',
      'examples/fleet.jsonl',
      '--request-id',
      'fleet-7',
    );
    const planned = await cli('plan', 'run-batch', 'examples/run-batch.json', '--request-id', 'a');

    expect(JSON.parse(made)).toMatchObject({ counts: { asked: 3, succeeded: 3 } });
    expect(JSON.parse(planned)).toMatchObject({ ready: true });
  });

  it('a schedule for every night', async () => {
    const nightly = ['nightly-kv', 'modifyKvStore', 'examples/kv-refresh.json'];
    await cli('schedule', 'create', ...nightly, '--at', '04:30', '--zone', 'Europe/Berlin');

    const shown = await cli('schedule', 'show', 'nightly-kv');

    expect(shown).toContain('every day at 04:30, Europe/Berlin');
    await cli('schedule', 'delete', 'nightly-kv');
  });

  it('and no example is forgotten here', () => {
    const files = readdirSync('examples').filter((name) => /\.jsonl?$/.test(name));
    const source = readFileSync('test/examples/dev-examples.server.test.ts', 'utf8');
    const readme = readFileSync('README.md', 'utf8');

    const forgotten = files.filter((file) => !source.includes(file) && !readme.includes(file));

    expect(forgotten).toEqual([]);
  });
});
