import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';

import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';

import { connectGcoreWorkflows } from '../../../src/client/index.js';
import { freePort } from '../../../src/dev/temporal-ports.js';
import { provisionInput } from '../../support/inputs/provision-input.js';

let folder = '';
let processes: ChildProcess[] = [];

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'gcore-workflows-dev-'));
  processes = [];
});

afterEach(async () => {
  for (const child of processes) {
    if (child.exitCode !== null || child.signalCode !== null) continue;
    child.kill('SIGKILL');
    await once(child, 'exit');
  }
  await rm(folder, { recursive: true });
});

/** `gcore-workflows dev` in a folder of its own, once it is ready. */
async function startDev(options: string[]): Promise<ChildProcess> {
  // With TEMPORAL_ADDRESS set, dev would use that server instead of its own.
  const env = { ...process.env, TEMPORAL_ADDRESS: undefined };
  const child = spawn(process.execPath, [resolve('dist/cli/main.js'), 'dev', ...options], {
    cwd: folder,
    env,
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  processes.push(child);
  const said: string[] = [];
  for await (const line of createInterface({ input: child.stderr })) {
    said.push(line);
    if (line.startsWith('Ready')) return child;
  }
  throw new Error(`dev ended before it was ready:\n${said.join('\n')}`);
}

describe('dev', () => {
  it.each(['SIGINT', 'SIGKILL'] as const)(
    'continues open runs after a restart that follows %s',
    async (signal) => {
      const port = await freePort();
      const uiPort = await freePort();
      const options = ['--port', String(port), '--ui-port', String(uiPort), '--speed', '5'];
      const config = { connectionOptions: { address: `127.0.0.1:${port}` }, namespace: 'default' };
      const first = await startDev(options);
      const before = await connectGcoreWorkflows({ config });
      const input = provisionInput();
      const { workflowId } = await before.start('provisionInstance', { requestId: 'x', input });
      await before.status(workflowId);
      await before.close();

      first.kill(signal);
      await once(first, 'exit');
      await startDev(options);

      const after = await connectGcoreWorkflows({ config });
      const result = await after.result('provisionInstance', workflowId);
      await after.close();
      expect(result.status).toBe('ACTIVE');
    },
    120_000,
  );
});
