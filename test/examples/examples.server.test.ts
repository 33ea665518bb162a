import { execFile } from 'node:child_process';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { basename, join, resolve } from 'node:path';
import { promisify } from 'node:util';

import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { transformFile } from '@swc/core';
import { Client, Connection } from '@temporalio/client';

import { createGcoreWorkflows } from '../../src/client/index.js';
import { resolveTemporalExecutable } from '../../src/dev/temporal-executable.js';
import { startTemporalServer, type TemporalServer } from '../../src/dev/temporal-server.js';
import { createSimulator } from '../../src/simulator/index.js';
import { startWorkerProcess, type WorkerProcess } from '../support/workers/worker-process.js';

const run = promisify(execFile);
const COMPILED = resolve('.cache/examples');

let executable = '';
let temporal: TemporalServer;
let worker: WorkerProcess;
let api: { url: string; close: () => Promise<void> };

beforeAll(async () => {
  ({ path: executable } = await resolveTemporalExecutable({
    cliPath: process.env['TEMPORAL_CLI_PATH'],
    path: process.env['PATH'],
  }));
  temporal = await startTemporalServer({ executable });
  api = await createSimulator({ timeScale: 0.01 }).listen();
  worker = startWorkerProcess({
    GCORE_API_KEY: 'simulator-key',
    GCORE_BASE_URL: api.url,
    TEMPORAL_ADDRESS: temporal.address,
  });
  await worker.says('Worker is ready');
  await mkdir(COMPILED, { recursive: true });
});

afterAll(async () => {
  worker.child.kill('SIGTERM');
  await worker.exit;
  await temporal.close();
  await api.close();
  await rm(COMPILED, { recursive: true });
});

/** Compiles an example, and returns the path of the JavaScript. */
async function compile(name: string): Promise<string> {
  const { code } = await transformFile(`examples/${name}.ts`, {
    jsc: { parser: { syntax: 'typescript' }, target: 'es2022' },
  });
  const file = join(COMPILED, `${basename(name)}.js`);
  await writeFile(file, code);
  return file;
}

describe('the example of a test of an own workflow', () => {
  it('passes, with a stack of its own', async () => {
    await compile('compose/launch-site');
    const file = await compile('compose/launch-site.test');

    // With TEMPORAL_ADDRESS set, the stack would use that server. NODE_TEST_CONTEXT is Node's own.
    const { stdout } = await run(process.execPath, ['--test', '--test-reporter=tap', file], {
      env: { ...process.env, TEMPORAL_ADDRESS: undefined, NODE_TEST_CONTEXT: undefined },
    });

    expect(stdout).toContain('# pass 1');
    expect(stdout).toContain('# fail 0');
  });
});

describe('the ways to start a run that the README shows', () => {
  it('start a run from TypeScript', async () => {
    const file = await compile('start-from-typescript');

    const { stdout } = await run(process.execPath, [file, 'from-typescript'], {
      env: { ...process.env, TEMPORAL_ADDRESS: temporal.address },
    });

    expect(JSON.parse(stdout)).toEqual({
      workflowId: 'provision-instance/default/from-typescript',
      instanceId: expect.any(String),
      addresses: [expect.objectContaining({ type: 'fixed' })],
    });
  });

  it('start a run with only the temporal CLI', async () => {
    const workflowId = 'provision-instance/default/from-the-temporal-cli';

    await run(executable, [
      ...['workflow', 'start', '--address', temporal.address],
      ...['--type', 'provisionInstance', '--task-queue', 'gcore-workflows'],
      ...['--workflow-id', workflowId, '--input-file', 'examples/provision-instance.json'],
    ]);

    const connection = await Connection.connect({ address: temporal.address });
    const gcore = createGcoreWorkflows({ client: new Client({ connection }) });
    const result = await gcore.result('provisionInstance', workflowId);
    await connection.close();
    expect(result.status).toBe('ACTIVE');
  });
});
