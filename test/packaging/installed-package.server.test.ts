import type { ChildProcess } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Client, Connection } from '@temporalio/client';
import { msToTs } from '@temporalio/common/lib/time.js';

import { createGcoreWorkflows } from '../../src/client/index.js';
import { freePort } from '../../src/dev/temporal-ports.js';
import { createSimulator, DEFAULT_API_KEY, type Listener } from '../../src/simulator/index.js';
import { emptyFolder, runIn } from '../support/packaging/run-in.js';
import { temporalAddress } from '../support/runs/scenario.js';
import { startProcess } from '../support/workers/worker-process.js';

/** Nobody else's worker takes its runs. */
const namespace = `installed-${randomUUID().slice(0, 8)}`;
const simulator = createSimulator();
const started: ChildProcess[] = [];
let service: string;
let api: Listener;
let connection: Connection;

beforeAll(async () => {
  service = await emptyFolder();
  const { stdout } = await runIn('.', 'npm', ['pack', '--silent', '--pack-destination', service]);
  await writeFile(join(service, 'package.json'), '{ "type": "module", "private": true }');
  // From npm's cache: `npm ci` has filled it.
  const install = ['install', '--silent', '--prefer-offline', '--no-audit', `./${stdout.trim()}`];
  const { code, stderr } = await runIn(service, 'npm', install);
  if (code !== 0) throw new Error(`npm install failed: ${stderr}`);
  api = await simulator.listen();
  connection = await Connection.connect({ address: temporalAddress() });
  const workflowExecutionRetentionPeriod = msToTs('1 day');
  await connection.workflowService.registerNamespace({
    namespace,
    workflowExecutionRetentionPeriod,
  });
});

afterAll(async () => {
  for (const child of started) child.kill('SIGKILL');
  await connection.close();
  await api.close();
});

/** Starts a command of the installed package, with only this environment. */
function startCommand(...words: string[]) {
  const command = join(service, 'node_modules', 'gcore-workflows', 'dist', 'cli', 'main.js');
  const running = startProcess([process.execPath, command, ...words], {
    TEMPORAL_ADDRESS: temporalAddress(),
    TEMPORAL_NAMESPACE: namespace,
    GCORE_API_KEY: DEFAULT_API_KEY,
    GCORE_BASE_URL: api.url,
    GCORE_CLOUD_PROJECT_ID: '1',
    GCORE_CLOUD_REGION_ID: '1',
  });
  started.push(running.child);
  return running;
}

describe('the package, installed in an empty folder', () => {
  it('gives a command line, a worker that carries a run, and a gateway that shows it', async () => {
    const bin = join(service, 'node_modules', '.bin', 'gcore-workflows');
    const { code: exitCode } = await runIn(service, bin, ['help', 'provision']);
    await startCommand('worker').says('Worker is ready');
    const listening = await startCommand('gateway', '--port', String(await freePort())).says(
      'Listening at',
    );
    const gcore = createGcoreWorkflows({ client: new Client({ connection, namespace }) });
    const request = { requestId: 'audit-7', input: {} };

    const { workflowId } = await gcore.start('listSshKeys', request);
    const result = await gcore.result('listSshKeys', workflowId);
    const [url = ''] = /http:[^ ]*[^ .]/.exec(listening) ?? [];
    const shown = await fetch(`${url}/v1/runs/${encodeURIComponent(workflowId)}`);
    // The client in the bundle of the command line throws what the gateway beside it must know.
    const unknown = await fetch(`${url}/v1/runs/list-ssh-keys%2Fdefault%2Fnobody`);

    expect([exitCode, result.count]).toEqual([0, 0]);
    expect([shown.status, await shown.json()]).toMatchObject([200, { phase: 'succeeded' }]);
    expect([unknown.status, await unknown.json()]).toMatchObject([404, { code: 'RunNotFound' }]);
  });
});
