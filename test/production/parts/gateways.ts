import { createHash, randomBytes } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { setTimeout as pass } from 'node:timers/promises';

import { freePort } from '../../../src/dev/temporal-ports.js';
import { startScript, type WorkerProcess } from '../../support/workers/worker-process.js';
import { ownFolder } from '../own-folder.js';

export interface GatewayProcess {
  url: string;
  process: WorkerProcess;
  kill: () => Promise<void>;
  start: () => Promise<void>;
}

/** A token, and the file that allows it. */
export async function writeTokens(): Promise<{ token: string; file: string }> {
  const token = randomBytes(32).toString('hex');
  const file = join(await ownFolder('tokens'), 'tokens.json');
  const sha256 = createHash('sha256').update(token).digest('hex');
  const tokens = [
    { name: 'proof', sha256, scopes: ['read', 'run', 'operate', 'metrics'], expires: 'never' },
  ];
  await writeFile(file, JSON.stringify({ tokens }));
  return { token, file };
}

export async function openGateway(
  environment: Record<string, string>,
  tokens: string,
): Promise<GatewayProcess> {
  const port = await freePort();
  const args = ['gateway', '--port', String(port), '--tokens', tokens, '--rate', '1000'];
  const start = async (): Promise<WorkerProcess> => {
    const started = startScript(resolve('dist/cli/main.js'), environment, args);
    await started.says('Listening at');
    return started;
  };
  const gateway: GatewayProcess = {
    url: `http://127.0.0.1:${port}`,
    process: await start(),
    kill: async () => {
      gateway.process.child.kill('SIGKILL');
      await gateway.process.exit;
    },
    start: async () => {
      gateway.process = await start();
    },
  };
  return gateway;
}

const ATTEMPT_MS = 60_000;
const PAUSE_MS = 500;
const GIVE_UP_MS = 240_000;

/** Asks until somebody answers. */
export type Send = (path: string, init?: RequestInit) => Promise<Answer>;

export interface Answer {
  status: number;
  body: string;
  attempts: number;
}

/** A client that turns to the other gateway when one gives no answer, or says that it cannot answer now. */
export function createPatientClient(gateways: readonly GatewayProcess[], token: string): Send {
  let turn = 0;
  return async (path, init = {}) => {
    const deadline = Date.now() + GIVE_UP_MS;
    for (let attempts = 1; ; attempts++) {
      const gateway = gateways[turn++ % gateways.length];
      if (gateway === undefined) throw new RangeError('There is no gateway');
      try {
        const answer = await fetch(`${gateway.url}${path}`, {
          ...init,
          headers: { ...headersOf(init), Authorization: `Bearer ${token}` },
          signal: AbortSignal.timeout(ATTEMPT_MS),
        });
        const body = await answer.text();
        if (answer.status < 500 && answer.status !== 429) {
          return { status: answer.status, body, attempts };
        }
      } catch {
        // It is away.
      }
      if (Date.now() > deadline)
        throw new Error(`${path}: no answer within ${GIVE_UP_MS / 1_000} s`);
      await pass(PAUSE_MS);
    }
  };
}

function headersOf({ headers }: RequestInit): Record<string, string> {
  return Object.fromEntries(new Headers(headers).entries());
}
