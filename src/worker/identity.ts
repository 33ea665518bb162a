import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';

/** Enough for milliseconds since the epoch: times of equal length sort as text. */
const START_DIGITS = 9;
const START = /\/([0-9a-z]{9}-[0-9a-f]{8})$/;

/**
 * How the workers of one process and account sign their polls: `<process id>@<host>/<start>-<random>`. Only
 * a process that can watch says when it started. The SDK's default, `<process id>@<host>`, is the same in
 * containers that share a host name, and the processes of an account are counted by it.
 */
export function createIdentity({ watches }: { watches: boolean }): string {
  const random = randomUUID().slice(0, 8);
  const start = Date.now().toString(36).padStart(START_DIGITS, '0');
  return `${process.pid}@${hostname()}/${watches ? `${start}-` : ''}${random}`;
}

/** False for a process without a watcher, and for one of a version that says no start. */
export function canWatch(identity: string): boolean {
  return START.test(identity);
}

/** How many of the others started first. Every process that knows the same others finds the same order. */
export function rankAmong(others: readonly string[], identity: string): number {
  const own = startOf(identity);
  return others.filter((other) => canWatch(other) && startOf(other) < own).length;
}

function startOf(identity: string): string {
  return START.exec(identity)?.[1] ?? '';
}
