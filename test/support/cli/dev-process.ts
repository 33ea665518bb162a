import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';

import { runIn, type Ended } from '../packaging/run-in.js';
import { freePort } from '../../../src/dev/temporal-ports.js';

/** A folder in which processes of `gcore-workflows dev` run. */
export interface DevFolder {
  /** Starts `dev` and resolves when it is ready. Rejects with its stderr when it ends before. */
  start: (options: readonly string[], settings?: Record<string, string>) => Promise<ChildProcess>;
  /** Runs `dev` until it ends. */
  run: (words: readonly string[]) => Promise<Ended>;
  path: string;
  /** Ends all its processes and removes the folder. */
  remove: () => Promise<void>;
}

/** Options of `dev` with ports that are free, the address of its Temporal server, and that of its pages. */
export async function freeDevOptions(speed: number) {
  const [port, uiPort, gatewayPort] = [await freePort(), await freePort(), await freePort()];
  const options = [
    ...['--port', String(port), '--ui-port', String(uiPort)],
    ...['--gateway-port', String(gatewayPort), '--speed', String(speed)],
  ];
  const pages = `http://127.0.0.1:${gatewayPort}/runs`;
  return { options, address: `127.0.0.1:${port}`, pages };
}

export async function createDevFolder(): Promise<DevFolder> {
  const folder = await mkdtemp(join(tmpdir(), 'gcore-workflows-dev-'));
  const processes: ChildProcess[] = [];
  const program = resolve('dist/cli/main.js');
  return {
    path: folder,
    // With TEMPORAL_ADDRESS set, dev would use that server instead of its own.
    run: (words) =>
      runIn(folder, 'env', ['-u', 'TEMPORAL_ADDRESS', process.execPath, program, 'dev', ...words]),
    async start(options, settings = {}) {
      const env = { ...process.env, TEMPORAL_ADDRESS: undefined, ...settings };
      const child = spawn(process.execPath, [program, 'dev', ...options], {
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
    },
    async remove() {
      for (const child of processes) {
        if (child.exitCode !== null || child.signalCode !== null) continue;
        child.kill('SIGKILL');
        await once(child, 'exit');
      }
      await rm(folder, { recursive: true });
    },
  };
}
