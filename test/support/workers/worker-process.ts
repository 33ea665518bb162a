import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { resolve } from 'node:path';
import { createInterface } from 'node:readline';

import type { WebhookSettings } from '../../../src/engine/core/webhook-settings.js';
import type { WorkerVersion } from '../../../src/worker/worker-version.js';

export interface WorkerProcess {
  child: ChildProcess;
  /** Lines of stderr. */
  lines: string[];
  /** Lines of stdout. */
  printed: string[];
  exit: Promise<number | null>;
  /** Resolves with the first line that contains the text. Fails if the process ends first. */
  says: (text: string) => Promise<string>;
}

/** Where Node keeps what it has compiled, for all processes of the tests. */
const COMPILED = { NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'] };

/** Starts the worker like `npm start`, with only this environment. */
export function startWorkerProcess(environment: Record<string, string>): WorkerProcess {
  return startScript(resolve('dist/worker/main.js'), environment);
}

export interface FastWorkerSettings {
  address: string;
  /** Default `default`. Another one has no search attributes. */
  namespace?: string;
  baseUrl: string;
  apiKey: string;
  /** How many times faster than in reality the worker polls. */
  speed: number;
  reconcileGraceMs: number;
  /** Interval at which blocked runs and circuit breakers try again. */
  probeMs: number;
  /** Timeout of one call. */
  timeoutMs?: number;
  watcher?: boolean;
  /** The request budget; default 1,000. */
  requestsPerSecond?: number;
  /** Runs that it keeps in memory; the default is that of the product. */
  cachedRuns?: number;
  /** The worker reads manifests below this directory. */
  manifestRoot?: string;
  /** Encrypts payloads with this key ring. */
  codecKeysFile?: string;
  webhooks?: WebhookSettings;
  /** Only the workflows, or only the calls of the account; both by default. */
  part?: 'workflows' | 'account';
  /** The secrets that inputs name are files of this directory. */
  secretsFolder?: string;
  /** `allow`: inputs may hold secrets in clear. */
  secretsPolicy?: 'allow' | 'refuse';
  /** The version of the workflow worker; without it the worker is not versioned. */
  version?: WorkerVersion;
  /** A workflow bundle instead of the built one. */
  codePath?: string;
}

/**
 * Starts a worker for a simulated cloud that is faster than reality.
 *
 * @param root the folder of the project: of another version, which has its own build
 */
export function startFastWorker(settings: FastWorkerSettings, root = '.'): WorkerProcess {
  return startScript(resolve(root, 'test/support/workers/fast-worker.js'), {
    FAST_WORKER: JSON.stringify(settings),
  });
}

/** Starts a script as a worker process, with only this environment. */
export function startScript(
  script: string,
  environment: Record<string, string>,
  words: readonly string[] = [],
): WorkerProcess {
  return startProcess([process.execPath, script, ...words], environment);
}

/**
 * Starts a command as a worker process, with only this environment.
 *
 * @param ownGroup the signal to `-pid` then ends also what the command has started
 */
export function startProcess(
  [command, ...words]: readonly [string, ...string[]],
  environment: Record<string, string>,
  { ownGroup = false } = {},
): WorkerProcess {
  const child = spawn(command, words, {
    detached: ownGroup,
    env: { PATH: process.env['PATH'], ...COMPILED, ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const lines: string[] = [];
  const printed: string[] = [];
  createInterface({ input: child.stdout }).on('line', (line) => printed.push(line));
  const reader = createInterface({ input: child.stderr });
  reader.on('line', (line) => lines.push(line));
  const exit = once(child, 'exit').then(([code]: (number | null)[]) => code ?? null);
  const says = (text: string): Promise<string> =>
    new Promise((found, missed) => {
      const check = (): void => {
        const line = lines.find((candidate) => candidate.includes(text));
        if (line !== undefined) found(line);
      };
      check();
      reader.on('line', check);
      reader.on('close', () => {
        missed(new Error(`the worker ended without "${text}":\n${lines.join('\n')}`));
      });
    });
  return { child, lines, printed, exit, says };
}
