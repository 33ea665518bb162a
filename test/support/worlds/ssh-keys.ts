import { createSimulator, type SimulatorState } from '../../../src/simulator/index.js';

export const KEYS_PATH = '/storage/v4/ssh_keys';

/** A key that the API accepts. It is short, because tests use thousands of them. */
export const PUBLIC_KEY = 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5';

const START = Date.parse('2026-01-01T00:00:00Z');
const SECOND = 1_000;

export interface SeededKey {
  name: string;
  publicKey?: string;
}

/** A cloud with these keys (ids from 1), created one per second. */
export function stateWithKeys(keys: readonly SeededKey[]): SimulatorState {
  return {
    ...createSimulator().snapshot(),
    sshKeys: keys.map(({ name, publicKey = PUBLIC_KEY }, index) => ({
      id: String(index + 1),
      name,
      publicKey,
      createdAt: START + index * SECOND,
    })),
  };
}

/** `key-1`, `key-2` … */
export function manyKeys(count: number): SeededKey[] {
  return Array.from({ length: count }, (_, index) => ({ name: `key-${index + 1}` }));
}

/** The numbers from the first to the last. */
export function idsFrom(first: number, last: number): number[] {
  return Array.from({ length: last - first + 1 }, (_, index) => first + index);
}
