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
  return {
    hasExited: () => exited,
    output: () => lines.join('\n'),
    stop: async () => {
      guardian.stdin.end();
      const overdue = setTimeout(() => guardian.kill('SIGKILL'), graceMs + GUARDIAN_MARGIN_MS);
      await closed;
      clearTimeout(overdue);
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

/** A guardian that was killed could not end the server, which is still in its process group. */
function killGroup(guardian: Guardian): void {
  if (guardian.pid === undefined) {
    return;
  }
  try {
    process.kill(-guardian.pid, 'SIGKILL');
  } catch {
    // The group is empty, or the system has no process groups.
  }
}
