import { spawn, type ChildProcessByStdio } from 'node:child_process';
import { createInterface } from 'node:readline';
import type { Readable, Writable } from 'node:stream';

const MAX_KEPT_LINES = 20;
const STOP_GRACE_MS = 5_000;
const GUARDIAN_MARGIN_MS = 2_000;

/**
 * Source of the guardian: a Node process between this process and the server. It ends the server when
 * its standard input closes. The system closes that pipe whenever this process ends, even by `kill -9`,
 * when no code of this process can run.
 *
 * The source is text for `node -e`, because a module would be a `.js` file after the build but a `.ts`
 * file under jest.
 */
const GUARDIAN_SOURCE = `
const { spawn } = require('node:child_process');
// The database of the server holds the inputs of all runs: only their owner may read it.
process.umask(0o077);
const [graceMs, command, ...args] = process.argv.slice(1);
const server = spawn(command, args, { stdio: ['ignore', 'inherit', 'inherit'], windowsHide: true });
let stopping = false;
function stop() {
  if (stopping) return;
  stopping = true;
  server.kill('SIGTERM');
  setTimeout(() => server.kill('SIGKILL'), Number(graceMs));
}
process.stdin.on('close', stop).on('error', stop).resume();
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, stop);
server.on('error', (error) => {
  console.error(error.message);
  process.exit(1);
});
server.on('exit', (code) => process.exit(code ?? 1));
`;

export interface GuardedOptions {
  command: string;
  args: readonly string[];
  /** Time between SIGTERM and SIGKILL. */
  graceMs?: number | undefined;
  onOutput?: ((line: string) => void) | undefined;
}

export interface GuardedProcess {
  hasExited: () => boolean;
  /** The last lines of its output. */
  output: () => string;
  /** Ends the process and waits for its end. */
  stop: () => Promise<void>;
  /** Kills the process immediately and waits for its end. Without process groups it stops it instead. */
  kill: () => Promise<void>;
}

type Guardian = ChildProcessByStdio<Writable, Readable, Readable>;

/** Starts a command. It ends with `stop`, or when this process ends for any reason. */
export function startGuarded(options: GuardedOptions): GuardedProcess {
  const { command, args, graceMs = STOP_GRACE_MS } = options;
  const guardian = spawn(process.execPath, guardianArguments(command, args, graceMs), {
    // Ctrl-C in a terminal signals the whole process group. The server is in its own group, so this
    // process can finish its work and then end the server.
    detached: true,
    stdio: ['pipe', 'pipe', 'pipe'],
    windowsHide: true,
  });
  const lines = collectLines(guardian, options.onOutput);
  let exited = false;
  const closed = new Promise<void>((resolve) => {
    guardian.once('close', () => {
      exited = true;
      resolve();
    });
  });
  guardian.once('exit', (_code, signal) => {
    if (signal !== null) {
      killGroup(guardian);
    }
  });
  const stop = async (): Promise<void> => {
    guardian.stdin.end();
    const overdue = setTimeout(() => guardian.kill('SIGKILL'), graceMs + GUARDIAN_MARGIN_MS);
    await closed;
    clearTimeout(overdue);
  };
  return {
    hasExited: () => exited,
    output: () => lines.join('\n'),
    stop,
    kill: async () => {
      // After the exit the system may have given the group number to another process.
      if (!exited && !killGroup(guardian)) await stop();
      await closed;
    },
  };
}

/** Arguments for Node that run a command under the guardian. */
function guardianArguments(command: string, args: readonly string[], graceMs: number): string[] {
  return ['-e', GUARDIAN_SOURCE, '--', String(graceMs), command, ...args];
}

function collectLines(guardian: Guardian, onOutput: GuardedOptions['onOutput']): string[] {
  const lines: string[] = [];
  const keep = (line: string): void => {
    lines.push(line);
    lines.splice(0, lines.length - MAX_KEPT_LINES);
    onOutput?.(line);
  };
  createInterface(guardian.stdout).on('line', keep);
  createInterface(guardian.stderr).on('line', keep);
  guardian.on('error', (error) => {
    keep(error.message);
  });
  // Ignores the error of closing the input of a guardian that has just ended.
  guardian.stdin.on('error', () => undefined);
  return lines;
}

/**
 * Kills the guardian and the server together, even a server whose guardian was killed. Returns false
 * when there is nothing to kill, or when the system has no process groups.
 */
function killGroup(guardian: Guardian): boolean {
  if (guardian.pid === undefined) return false;
  try {
    return process.kill(-guardian.pid, 'SIGKILL');
  } catch {
    return false;
  }
}
