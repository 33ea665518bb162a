import { spawn, type ChildProcessByStdio } from 'node:child_process';
import { createInterface } from 'node:readline';
import type { Readable, Writable } from 'node:stream';

import { guardianArguments } from './temporal-guardian.js';

const KEPT_LINES = 20;
const STOP_GRACE_MS = 5_000;
const GUARDIAN_MARGIN_MS = 2_000;

export interface GuardedOptions {
  command: string;
  args: readonly string[];
  /** How long it may take to end after SIGTERM before it is killed. */
  graceMs?: number | undefined;
  onOutput?: ((line: string) => void) | undefined;
}

export interface GuardedProcess {
  hasExited: () => boolean;
  /** Its last lines of output. */
  output: () => string;
  /** Ends it and waits until it is gone. */
  stop: () => Promise<void>;
  /** Kills it on the spot, where the system has process groups, and waits until it is gone. */
  kill: () => Promise<void>;
}

type Guardian = ChildProcessByStdio<Writable, Readable, Readable>;

/** Starts a command that ends when `stop` is called or when this process ends, in whatever way. */
export function startGuarded(options: GuardedOptions): GuardedProcess {
  const { command, args, graceMs = STOP_GRACE_MS } = options;
  const guardian = spawn(process.execPath, guardianArguments(command, args, graceMs), {
    // Ctrl-C in a terminal signals its whole process group. In a group of its own the server lives
    // on until this process, which may have work to drain first, ends it.
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
      // The number of a group that is gone may be another's by now.
      if (!exited && !killGroup(guardian)) await stop();
      await closed;
    },
  };
}

function collectLines(guardian: Guardian, onOutput: GuardedOptions['onOutput']): string[] {
  const lines: string[] = [];
  const keep = (line: string): void => {
    lines.push(line);
    lines.splice(0, lines.length - KEPT_LINES);
    onOutput?.(line);
  };
  createInterface(guardian.stdout).on('line', keep);
  createInterface(guardian.stderr).on('line', keep);
  guardian.on('error', (error) => {
    keep(error.message);
  });
  // Closing the input of a guardian that has just ended is no fault.
  guardian.stdin.on('error', () => undefined);
  return lines;
}

/**
 * Ends guardian and server together, also a server whose guardian was killed and could not end it.
 * False when there is nothing to end, or when the system has no process groups.
 */
function killGroup(guardian: Guardian): boolean {
  if (guardian.pid === undefined) return false;
  try {
    return process.kill(-guardian.pid, 'SIGKILL');
  } catch {
    return false;
  }
}
