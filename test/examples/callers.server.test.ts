import { execFile } from 'node:child_process';
import { mkdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { delimiter, join, resolve } from 'node:path';
import { promisify } from 'node:util';

import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';

import { connectGcoreWorkflows, type ConnectedGcoreWorkflows } from '../../src/client/index.js';
import { createGateway } from '../../src/gateway/create-gateway.js';
import { serveGateway, type GatewayServer } from '../../src/gateway/serve-gateway.js';
import { createCliWorld, type CliWorld } from '../support/cli/cli-world.js';
import { provisionInput } from '../support/inputs/provision-input.js';

const run = promisify(execFile);

let world: CliWorld;
let gcore: ConnectedGcoreWorkflows;
let gateway: GatewayServer;

beforeAll(async () => {
  world = await createCliWorld();
  const { address, namespace } = world;
  gcore = await connectGcoreWorkflows({ config: { connectionOptions: { address }, namespace } });
  gateway = await serveGateway(createGateway({ gcore }), { host: '127.0.0.1', port: 0 });
  const programs = join(world.folder, 'bin');
  await mkdir(programs);
  await run('go', ['build', '-o', join(programs, 'provision-in-go'), 'examples/go/provision.go']);
  // The command line as it is installed.
  await symlink(resolve('dist/cli/main.js'), join(programs, 'gcore-workflows'));
});

afterAll(async () => {
  await gateway.close();
  await gcore.close();
  await world.close();
});

interface Ended {
  exitCode: number | string;
  stdout: string;
  stderr: string;
}

/** Runs a caller as a user does. `exitCode` is the reason when it is not installed. */
function call([command = '', ...args]: readonly string[]): Promise<Ended> {
  const env = {
    ...{ PATH: join(world.folder, 'bin') + delimiter + (process.env['PATH'] ?? '') },
    ...{ HOME: process.env['HOME'], GATEWAY: gateway.url },
    ...{ TEMPORAL_ADDRESS: world.address, TEMPORAL_NAMESPACE: world.namespace },
  };
  return new Promise((ended) => {
    execFile(command, args, { env }, (error, stdout, stderr) => {
      ended({ exitCode: error?.code ?? 0, stdout, stderr });
    });
  });
}

const CALLERS = [
  { name: 'curl', command: ['bash', 'examples/curl/provision.sh'] },
  { name: 'Python without libraries', command: ['python3', 'examples/python/provision.py'] },
  { name: 'Go without libraries', command: ['provision-in-go'] },
  { name: 'a step of a CI job', command: ['bash', 'examples/ci/provision.sh'] },
];

describe('the caller in', () => {
  it.each(CALLERS)(
    '$name gets one instance, however often it repeats the order',
    async (caller) => {
      const { folder, simulator } = world;
      const name = caller.command.join('-').replaceAll(/\W/g, '-');
      const file = join(folder, `${name}.json`);
      await writeFile(file, JSON.stringify(provisionInput({ name })));
      const order = [...caller.command, `order-${name}`, file];

      const ended = await world.withWorker(async () => [
        ...(await Promise.all([call(order), call(order)])),
        await call(order),
      ]);

      expect(ended.map(({ exitCode }) => exitCode)).toEqual([0, 0, 0]);
      const made = simulator.inventory().instances.filter((instance) => instance.name === name);
      expect(made).toHaveLength(1);
      const [first] = ended;
      expect(new Set(ended.map(({ stdout }) => stdout))).toEqual(new Set([first?.stdout]));
      expect(first?.stdout).toMatch(/"status": ?"ACTIVE"|^ADDRESS=\d/);
    },
  );

  it.each(CALLERS)('$name ends as failed, and says why and what to do', async (caller) => {
    const name = `bad-${caller.command.join('-').replaceAll(/\W/g, '-')}`;
    const file = join(world.folder, `${name}.json`);
    await writeFile(file, JSON.stringify({ ...provisionInput({ name }), onConflict: 'what' }));

    const { exitCode, stdout, stderr } = await call([...caller.command, `order-${name}`, file]);

    expect(exitCode).not.toBe(0);
    expect(typeof exitCode).toBe('number');
    expect(stdout + stderr).toContain('onConflict');
    expect(stdout + stderr).toMatch(/advice|[Cc]orrect/);
  });
});

it('the Terraform example calls the script for curl', async () => {
  const text = await readFile('examples/terraform/main.tf', 'utf8');

  const [, script = ''] = /command *= "(\S+) /.exec(text) ?? [];

  expect(resolve('examples/terraform', script)).toBe(resolve('examples/curl/provision.sh'));
});
