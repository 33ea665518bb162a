import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

import { residentMibOf } from '../process-usage.js';

export interface MemorySample {
  residentMib: number;
  /** Of the main thread: workflows have a thread of their own, which only the resident memory shows. */
  heapMib: number;
}

/** A process of the product, as in production, whose memory is sampled. */
export interface WatchedProcess {
  /** Resolves with a line of stderr that matches. */
  says: (pattern: RegExp) => Promise<void>;
  memory: () => Promise<MemorySample>;
  /** SIGTERM; resolves with the exit code. */
  stop: () => Promise<number | null>;
}

const REPORTER = fileURLToPath(new URL('report-memory.js', import.meta.url));
const MIB = 1024 ** 2;

/** Starts `npm start` or a command of the command line, with only this environment. */
export function startWatched(
  script: string,
  args: readonly string[],
  environment: Record<string, string>,
): WatchedProcess {
  const child = spawn(process.execPath, ['--import', REPORTER, resolve(script), ...args], {
    env: { PATH: process.env['PATH'], ...environment },
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
  });
  const exit = once(child, 'exit').then(([code]: (number | null)[]) => code ?? null);
  return {
    says: (pattern) => firstLine(child, pattern),
    async memory() {
      const residentMib = residentMibOf(child.pid);
      if (!child.connected) throw new Error(`${script} has ended`);
      child.send('memory');
      const [bytes] = (await once(child, 'message')).map(Number);
      return { residentMib, heapMib: (bytes ?? Number.NaN) / MIB };
    },
    stop() {
      child.kill('SIGTERM');
      return exit;
    },
  };
}

function firstLine({ stderr }: ChildProcess, pattern: RegExp): Promise<void> {
  return new Promise((found, missed) => {
    if (stderr === null) throw new Error('stderr is not a pipe');
    let last = '';
    createInterface({ input: stderr })
      .on('line', (line) => {
        last = line;
        if (pattern.test(line)) found();
      })
      .on('close', () => {
        missed(new Error(`The process ended: ${last}`));
      });
  });
}
