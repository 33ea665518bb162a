import { existsSync } from 'node:fs';
import { hostname, userInfo } from 'node:os';
import { basename, relative } from 'node:path';
import { createInterface } from 'node:readline/promises';
import { buffer } from 'node:stream/consumers';
import { setTimeout as delay } from 'node:timers/promises';
import type { WriteStream } from 'node:tty';
import { fileURLToPath } from 'node:url';

import { quoteWord } from '../engine/core/text.js';
import type { CliIo, CliStream, Clock } from './cli-io.js';
import { readOwnPackage } from './own-package.js';
import type { ProcessOutput } from './process-output.js';

/** The real process. */
export function processIo({ unread }: Pick<ProcessOutput, 'unread'>): CliIo {
  return {
    stdout: toCliStream(process.stdout),
    stderr: toCliStream(process.stderr),
    unread,
    readStdin: () => buffer(process.stdin),
    ...(process.stdin.isTTY && { ask: askOnTerminal }),
    ...(process.send && { tellReady }),
    clock: systemClock,
    interrupted: interruptSignal(),
    identity: ownIdentity(),
    programName: programName({
      script: process.argv[1] ?? '',
      folder: process.cwd(),
      ownPackage: readOwnPackage().name,
      launcher: ownLauncher(),
    }),
  };
}

/** The other process may be gone already. */
function tellReady(): void {
  process.send?.('ready', undefined, undefined, () => undefined);
}

/** A container may have a user without a name. */
function ownIdentity(): string {
  try {
    return `${userInfo().username}@${hostname()}`;
  } catch {
    return `uid-${process.getuid?.() ?? 'unknown'}@${hostname()}`;
  }
}

/** Without a TTY the stream lacks `isTTY` and `hasColors`, although its type has them. */
type MaybeTty = Pick<WriteStream, 'write'> &
  Partial<Pick<WriteStream, 'isTTY' | 'hasColors' | 'columns' | 'rows'>>;

function toCliStream(stream: MaybeTty): CliStream {
  return {
    write: (chunk) => void stream.write(chunk),
    isTty: stream.isTTY === true,
    hasColors: stream.hasColors?.() === true,
    ...(stream.isTTY === true && { size: () => sizeOf(stream) }),
  };
}

/** Some terminals do not say how large they are. */
function sizeOf({ columns = 80, rows = 24 }: MaybeTty): { columns: number; rows: number } {
  return { columns, rows };
}

/** On stderr, because stdout is for data. */
async function askOnTerminal(question: string): Promise<string> {
  const ended = new AbortController();
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  for (const event of ['SIGINT', 'close'] as const) {
    terminal.once(event, () => {
      ended.abort();
    });
  }
  try {
    return await terminal.question(question, { signal: ended.signal });
  } catch (error) {
    if (!ended.signal.aborted) throw error;
    process.stderr.write('\n');
    return '';
  } finally {
    terminal.close();
  }
}

export const systemClock: Clock = {
  now: () => Date.now(),
  async delay(ms, signal) {
    try {
      await delay(ms, undefined, { signal });
    } catch (error) {
      if (!signal.aborted) throw error;
    }
  },
};

/** Uses `once`, so that a second Ctrl-C ends the process. */
function interruptSignal(): () => AbortSignal {
  let signal: AbortSignal | undefined;
  return () => {
    if (signal !== undefined) return signal;
    const controller = new AbortController();
    for (const name of ['SIGINT', 'SIGTERM'] as const) {
      process.once(name, () => {
        controller.abort();
      });
    }
    signal = controller.signal;
    return signal;
  };
}

/** The script at the top of a checkout. The packages have none. */
function ownLauncher(): string | undefined {
  const file = fileURLToPath(new URL('../../gcore-workflows', import.meta.url));
  return existsSync(file) ? file : undefined;
}

interface Start {
  /** The file that node was given. */
  script: string;
  /** Where it was started. */
  folder: string;
  ownPackage: string;
  launcher: string | undefined;
}

/** The command that a person can type: the launcher of a checkout, an npm bin, or the extension of the Temporal CLI. */
export function programName({ script, folder, ownPackage, launcher }: Start): string {
  const name = basename(script);
  if (name === 'temporal-gcore') return 'temporal gcore';
  // Outside a project npx finds a command by the name of its package.
  if (/[\\/]_npx[\\/]/.test(script)) return `npx ${ownPackage}`;
  // This folder is in the PATH of npx and of npm's scripts, but not in the PATH of a shell.
  if (/[\\/]node_modules[\\/]/.test(script)) return 'npx gcore-workflows';
  if (name !== 'main.js') return 'gcore-workflows';
  if (launcher === undefined) return `node ${relative(folder, script)}`;
  const path = relative(folder, launcher);
  return quoteWord(path.startsWith('.') ? path : `./${path}`);
}
