import { execFile } from 'node:child_process';
import { cp, mkdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { delimiter, join, resolve } from 'node:path';

import { Client, Connection } from '@temporalio/client';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';

import { connectGcoreWorkflows, type ConnectedGcoreWorkflows } from '../../src/client/index.js';
import { createGateway } from '../../src/gateway/create-gateway.js';
import { serveGateway, type GatewayServer } from '../../src/gateway/serve-gateway.js';
import {
  buildGoFile,
  buildGoModule,
  isInstalled,
  pythonWith,
} from '../support/callers/install-callers.js';
import { createCliWorld, type CliWorld } from '../support/cli/cli-world.js';
import { provisionInput } from '../support/inputs/provision-input.js';

/** The first time, Go compiles all that its Temporal client needs. */
const INSTALL_MS = 600_000;

const hasTerraform = await isInstalled('terraform');

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
  await buildGoFile('examples/go/provision.go', join(programs, 'provision-in-go'));
  await buildGoModule('examples/go/temporal', join(programs, 'provision-by-temporal-in-go'));
  // No link: Python finds its packages by the folder that it was called from.
  const python = `#!/bin/sh\nexec '${await pythonWith('examples/python/requirements.txt')}' "$@"\n`;
  await writeFile(join(programs, 'python-with-temporal'), python, { mode: 0o755 });
  // The command line as it is installed.
  await symlink(resolve('dist/cli/main.js'), join(programs, 'gcore-workflows'));
}, INSTALL_MS);

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
function call([command = '', ...args]: readonly string[], folder = '.'): Promise<Ended> {
  const env = {
    PATH: join(world.folder, 'bin') + delimiter + (process.env['PATH'] ?? ''),
    HOME: process.env['HOME'],
    GATEWAY: gateway.url,
    TEMPORAL_ADDRESS: world.address,
    TEMPORAL_NAMESPACE: world.namespace,
  };
  return new Promise((ended) => {
    execFile(command, args, { env, cwd: folder }, (error, stdout, stderr) => {
      ended({ exitCode: error?.code ?? 0, stdout, stderr });
    });
  });
}

/** The run that the Workflow Id of an order has now. */
async function runIdOf(order: string): Promise<string> {
  const { address, namespace } = world;
  const connection = await Connection.connect({ address });
  try {
    const { workflow } = new Client({ connection, namespace });
    return (await workflow.getHandle(`provision-instance/default/${order}`).describe()).runId;
  } finally {
    await connection.close();
  }
}

const CALLERS = [
  { name: 'curl', command: ['bash', 'examples/curl/provision.sh'] },
  { name: 'Python without libraries', command: ['python3', 'examples/python/provision.py'] },
  { name: 'Go without libraries', command: ['provision-in-go'] },
  { name: 'a step of a CI job', command: ['bash', 'examples/ci/provision.sh'] },
  {
    name: 'Python with a Temporal client',
    command: ['python-with-temporal', 'examples/python/provision_with_temporal.py'],
  },
  { name: 'Go with a Temporal client', command: ['provision-by-temporal-in-go'] },
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

      const { ended, runs } = await world.withWorker(async () => {
        const together = await Promise.all([call(order), call(order)]);
        const run = await runIdOf(`order-${name}`);
        const later = await call(order);
        return { ended: [...together, later], runs: [run, await runIdOf(`order-${name}`)] };
      });

      expect(ended.map(({ exitCode }) => exitCode)).toEqual([0, 0, 0]);
      const made = simulator.inventory().instances.filter((instance) => instance.name === name);
      expect(made).toHaveLength(1);
      expect(runs[1]).toBe(runs[0]);
      const [first] = ended;
      expect(new Set(ended.map(({ stdout }) => stdout))).toEqual(new Set([first?.stdout]));
      expect(first?.stdout).toMatch(/"status": ?"ACTIVE"|^ADDRESS=\d/);
    },
  );

  it('Python with a Temporal client ends before Python takes itself apart, which a thread of the SDK may disturb', async () => {
    const file = join(world.folder, 'end.json');
    await writeFile(file, JSON.stringify(provisionInput({ name: 'end' })));
    const watched = `import atexit, runpy; atexit.register(print, "taken apart"); runpy.run_path("examples/python/provision_with_temporal.py")`;

    const { exitCode, stdout } = await world.withWorker(() =>
      call(['python-with-temporal', '-c', watched, 'order-end', file]),
    );

    expect([exitCode, JSON.parse(stdout)]).toEqual([
      0,
      expect.objectContaining({ status: 'ACTIVE' }),
    ]);
  });

  it('any language joins the run that another has started', async () => {
    const file = join(world.folder, 'together.json');
    await writeFile(file, JSON.stringify(provisionInput({ name: 'together' })));

    const ended = await world.withWorker(() =>
      Promise.all(CALLERS.map(({ command }) => call([...command, 'order-together', file]))),
    );

    const failed = ended.filter(({ exitCode }) => exitCode !== 0);
    expect(failed).toEqual([]);
    const { instances } = world.simulator.inventory();
    expect(instances.filter(({ name }) => name === 'together')).toHaveLength(1);
  });

  it.each(CALLERS)('$name ends as failed, and says why and what to do', async (caller) => {
    const name = `bad-${caller.command.join('-').replaceAll(/\W/g, '-')}`;
    const file = join(world.folder, `${name}.json`);
    await writeFile(file, JSON.stringify({ ...provisionInput({ name }), onConflict: 'what' }));

    // Only a worker checks what a plain Temporal client has started.
    const { exitCode, stdout, stderr } = await world.withWorker(() =>
      call([...caller.command, `order-${name}`, file]),
    );

    expect(exitCode).not.toBe(0);
    expect(typeof exitCode).toBe('number');
    expect(stdout + stderr).toContain('onConflict');
    expect(stdout + stderr).toMatch(/advice|[Cc]orrect|check the spelling/);
  });
});

it('the Terraform example calls the script for curl', async () => {
  const text = await readFile('examples/terraform/main.tf', 'utf8');

  const [, script = ''] = /command *= "(\S+) /.exec(text) ?? [];

  expect(resolve('examples/terraform', script)).toBe(resolve('examples/curl/provision.sh'));
});

const withTerraform = hasTerraform ? describe : describe.skip;
withTerraform(hasTerraform ? 'terraform apply' : 'terraform apply (is not installed)', () => {
  it('makes one instance, and nothing when it is repeated', async () => {
    const project = join(world.folder, 'project');
    await cp('examples', project, { recursive: true });
    const terraform = (...args: string[]) =>
      call(['terraform', ...args], join(project, 'terraform'));
    const apply = ['apply', '-auto-approve', `-var=gateway=${gateway.url}`];

    const ended = await world.withWorker(async () => [
      await terraform('init'),
      await terraform(...apply),
      await terraform(...apply),
    ]);

    expect(ended.map(({ exitCode, stderr }) => [exitCode, stderr])).toEqual(Array(3).fill([0, '']));
    expect(ended[2]?.stdout).toContain('0 added');
    const file = join(project, 'terraform', 'result.json');
    const result: unknown = JSON.parse(await readFile(file, 'utf8'));
    expect(result).toMatchObject({ status: 'ACTIVE' });
  });
});
