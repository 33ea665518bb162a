import { randomUUID } from 'node:crypto';
import { readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';

import { Client, Connection, type WorkflowExecutionDescription } from '@temporalio/client';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { z } from 'zod';

import { jsonSchemas } from '../../src/contract/json-schemas.js';
import { emptyFolder, runIn, type Ended } from '../support/packaging/run-in.js';
import { provisionInput } from '../support/inputs/provision-input.js';

const packageSchema = z.object({
  version: z.string(),
  dependencies: z.record(z.string(), z.string()),
});

let service: string;
/** The package before it is packed. */
let client: string;

/** The folder of a service that has installed the packed client, and nothing else. */
beforeAll(async () => {
  // Its own, because the checks of a package write theirs meanwhile.
  client = await emptyFolder();
  await runIn('.', process.execPath, ['packaging/write-client-package.js', client]);
  service = await emptyFolder();
  const pack = ['pack', '--silent', client, '--pack-destination', service];
  const { stdout } = await runIn('.', 'npm', pack);
  await writeFile(join(service, 'package.json'), '{ "type": "module", "private": true }');
  // From npm's cache: `npm ci` has filled it.
  const install = ['install', '--silent', '--prefer-offline', '--no-audit', `./${stdout.trim()}`];
  const { code, stderr } = await runIn(service, 'npm', install);
  if (code !== 0) throw new Error(`npm install failed: ${stderr}`);
});

/** Ends a run that no worker carries. @returns What it was. */
async function terminate(workflowId: string): Promise<WorkflowExecutionDescription> {
  const address = process.env['TEMPORAL_ADDRESS'] ?? 'localhost:7233';
  const connection = await Connection.connect({ address });
  const run = new Client({ connection }).workflow.getHandle(workflowId);
  const description = await run.describe();
  await run.terminate();
  await connection.close();
  return description;
}

/** Runs the command of the package, as npx does. */
function runCommand(args: string[]): Promise<Ended> {
  return runIn(service, join(service, 'node_modules', '.bin', 'gcore-workflows'), args);
}

async function readPackage(path: string) {
  return packageSchema.parse(JSON.parse(await readFile(path, 'utf8')));
}

describe('the package gcore-workflows-client', () => {
  it('starts a run from a folder that has nothing else', async () => {
    const requestId = `order-${randomUUID()}`;
    await writeFile(
      join(service, 'start.js'),
      `import { connectGcoreWorkflows } from 'gcore-workflows-client';
       import { parseInput, operationSchemas } from 'gcore-workflows-client/contract';
       const { value } = parseInput(operationSchemas.provisionInstance.input, ${JSON.stringify(provisionInput())});
       const gcore = await connectGcoreWorkflows();
       const { workflowId } = await gcore.start('provisionInstance', {
         requestId: '${requestId}',
         input: value,
       });
       console.log(workflowId);
       await gcore.close();`,
    );

    const { stdout, stderr } = await runIn(service, process.execPath, ['start.js']);

    expect([stdout, stderr]).toEqual([`provision-instance/default/${requestId}\n`, '']);
    expect(await terminate(stdout.trim())).toMatchObject({ type: 'provisionInstance' });
  });

  it('installs neither the worker nor its native library', async () => {
    const installed = await readdir(join(service, 'node_modules', '@temporalio'));

    expect(installed).toContain('client');
    expect(installed).not.toContain('worker');
    expect(installed).not.toContain('core-bridge');
  });

  it('is at most 50 MB with everything that it needs', async () => {
    const modules = join(service, 'node_modules');
    const names = await readdir(modules, { recursive: true });
    const sizes = await Promise.all(
      names.map(async (name) => (await stat(join(modules, name))).size),
    );

    expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThan(50 * 2 ** 20);
  });

  it('has the command line, and says the version of the package', async () => {
    const { version } = await readPackage('package.json');

    const ended = await runCommand(['--version']);

    expect(ended).toEqual({ code: 0, stdout: `${version}\n`, stderr: '' });
  });

  it('asks the Temporal server for a run', async () => {
    const { code, stdout, stderr } = await runCommand(['status', `order-${randomUUID()}`]);

    expect([code, stdout]).toEqual([1, '']);
    expect(stderr).toContain('RunNotFound');
    // The command that a person can type again.
    expect(stderr).toContain('npx gcore-workflows list');
  });

  it('starts a run, and says what happens to it', async () => {
    const requestId = `order-${randomUUID()}`;
    await writeFile(join(service, 'order.json'), JSON.stringify(provisionInput()));
    const request = ['provision', '--file', 'order.json', '--request-id', requestId, '--no-wait'];

    const started = await runCommand(request);
    const again = await runCommand(request);
    const explained = await runCommand(['explain', requestId]);
    const cancelled = await runCommand(['cancel', requestId, '--yes']);

    const workflowId = `provision-instance/default/${requestId}`;
    expect([started.code, started.stdout]).toEqual([0, `${workflowId}\n`]);
    expect([again.code, again.stderr]).toEqual([0, expect.stringContaining('Joined the open run')]);
    expect([explained.code, explained.stdout]).toEqual([0, expect.stringContaining('worker')]);
    expect(cancelled.code).toBe(0);
    await terminate(workflowId);
  });

  it('loads late only what it has, or what it names to install', async () => {
    const root = join(client, 'dist');
    const scripts = (await readdir(root, { recursive: true })).filter((name) =>
      name.endsWith('.js'),
    );
    const lacking: string[] = [];
    for (const script of scripts) {
      const code = await readFile(join(root, script), 'utf8');
      for (const [, path = ''] of code.matchAll(/\bimport\(\s*["'](\.[^"']+)["']\s*\)/g)) {
        const late = join(dirname(script), path);
        if (!scripts.includes(late)) lacking.push(late);
      }
    }

    const late = await readFile('src/cli/services.ts', 'utf8');
    const services = [...late.matchAll(/import\('\.\.\/([^']+)'\)/g)].map(([, path]) => path);
    expect(new Set(lacking)).toEqual(new Set(services));
  });

  it.each(['dev', 'demo', 'worker', 'gateway'])(
    'says what to install for the command %s',
    async (command) => {
      const { code, stdout, stderr } = await runCommand([command]);

      expect([code, stdout]).toEqual([64, '']);
      expect(stderr).toContain('NotInstalled: This needs the package gcore-workflows.');
      expect(stderr).toContain('npm install gcore-workflows');
    },
  );

  it('checks the Temporal server, and says where the API can be checked', async () => {
    const { stdout } = await runCommand(['doctor', '--json']);

    const { checks } = z
      .object({ checks: z.array(z.object({ name: z.string(), state: z.string() })) })
      .parse(JSON.parse(stdout));
    expect(checks).toContainEqual(expect.objectContaining({ name: 'Temporal', state: 'ok' }));
    expect(checks).toContainEqual(expect.objectContaining({ name: 'API', state: 'unknown' }));
  });

  it('has no file of the worker, the gateway or the simulator', async () => {
    const folders = await readdir(join(client, 'dist'));

    expect(folders).toEqual(expect.arrayContaining(['cli', 'client', 'contract', 'schemas']));
    expect(folders).not.toEqual(
      expect.arrayContaining([
        expect.stringMatching(/^(activities|gateway|simulator|worker|workflow.*)$/),
      ]),
    );
  });

  it('brings a JSON Schema of everything that a caller sends and gets', async () => {
    const schemas = Object.entries(jsonSchemas());
    const code = schemas.map(
      ([name]) => `import.meta.resolve('gcore-workflows-client/schemas/${name}.json')`,
    );
    await writeFile(join(service, 'schemas.js'), `console.log(JSON.stringify([${code.join()}]));`);

    const { stdout } = await runIn(service, process.execPath, ['schemas.js']);

    const urls = z.array(z.url()).parse(JSON.parse(stdout));
    const texts = await Promise.all(urls.map((url) => readFile(new URL(url), 'utf8')));
    expect(texts.map((text): unknown => JSON.parse(text))).toEqual(
      schemas.map(([, schema]) => schema),
    );
  });

  it('declares exactly the packages that it imports, in the versions of the main package', async () => {
    const main = await readPackage('package.json');
    const { version, dependencies } = await readPackage(join(client, 'package.json'));
    const files = await readdir(join(client, 'dist'), { recursive: true });
    // The command line has its packages in its own files.
    const scripts = files.filter((name) => name.endsWith('.js') && !name.startsWith('cli/'));
    const texts = scripts.map((name) => readFile(join(client, 'dist', name), 'utf8'));
    const imported = (await Promise.all(texts)).flatMap((code) =>
      [...code.matchAll(/^(?:import|export|\}).* from '(?!node:)((?:@[\w-]+\/)?[\w-]+)/gm)].map(
        ([, name]) => name,
      ),
    );

    expect(Object.keys(dependencies)).toEqual([...new Set(imported)].sort());
    expect(main.dependencies).toMatchObject(dependencies);
    expect(version).toBe(main.version);
  });

  // TypeScript 7 writes the types. Callers may have version 6.
  it.each(['typescript', 'typescript-7'])('has types for %s', async (compiler) => {
    const code = `
      import { connectGcoreWorkflows } from 'gcore-workflows-client';
      import type { ProvisionInstanceInput } from 'gcore-workflows-client/contract';
      export async function order(input: ProvisionInstanceInput): Promise<string> {
        const gcore = await connectGcoreWorkflows();
        const { workflowId } = await gcore.start('provisionInstance', { requestId: 'a', input });
        const { instanceId, status } = await gcore.result('provisionInstance', workflowId);
        // @ts-expect-error The status is a word.
        const wrong: number = status;
        return instanceId + String(wrong);
      }`;
    await writeFile(join(service, 'order.ts'), code);
    const flags = ['--noEmit', '--strict', '--module', 'node20', '--skipLibCheck', 'order.ts'];

    const tsc = resolve('node_modules', compiler, 'bin/tsc');
    const { code: exitCode, stdout } = await runIn(service, tsc, flags);

    expect([exitCode, stdout]).toEqual([0, '']);
  });
});
