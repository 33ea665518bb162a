import type { ChildProcess } from 'node:child_process';

/** Ends a process that leads its own group (`detached`), and all that it has started. */
export function killGroup({ pid }: ChildProcess): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, 'SIGKILL');
  } catch {
    // All of them have ended.
  }
}
