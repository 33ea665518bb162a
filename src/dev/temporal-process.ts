import { spawn, type ChildProcessByStdio } from 'node:child_process';
import { createInterface } from 'node:readline';
import type { Readable, Writable } from 'node:stream';

import { guardianArguments } from './temporal-guardian.js';

const MAX_KEPT_LINES = 20;
const STOP_GRACE_MS = 5_000;
const GUARDIAN_MARGIN_MS = 2_000;

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
