import { Phase } from '../../../src/engine/core/status.js';
import { PROFILES_PATH, stateWithProfiles } from '../inputs/protect-input.js';
import { mostWithOneAddress } from '../worlds/marked.js';
import { idsFrom } from '../worlds/ssh-keys.js';
import type { MatrixOperation } from './matrix-operation.js';
import type { TestedOperation } from './tested-operation.js';

/** Each seed has its own address; `protectIp` has others. */
const addressOf = (seed: number): string =>
  `198.19.${Math.floor(seed / 250) % 250}.${(seed % 250) + 1}`;
/** The ids of new rows do not come so far. */
const idOf = (seed: number): string => String(7_000_000 + seed);

const profilesFor = (seeds: readonly number[]) =>
  stateWithProfiles(seeds.map(addressOf)).ddosProfiles.map((row, index) => ({
    ...row,
    id: idOf(seeds[index] ?? 0),
  }));

const matrix: MatrixOperation = {
  operation: 'removeProtection',
  calls: {
    create: { method: 'DELETE', path: new RegExp(`^${PROFILES_PATH}/`) },
    wait: { method: 'GET', path: /^\/cloud\/v1\/tasks/ },
    verify: { method: 'GET', path: PROFILES_PATH, nth: 2 },
  },
  // A removal whose task has failed is asked for again.
  repeatsFailedTasks: true,
  leftovers: ['none'],
  input: ({ seed }) => ({ address: addressOf(seed) }),
  stateFor: (seeds) => ({ ddosProfiles: profilesFor(seeds) }),
  judge({ seed, status, simulator }) {
    const isThere = simulator.inventory().ddosProfiles.some(({ id }) => String(id) === idOf(seed));
    const named = status.steps.flatMap(({ resources }) => resources.map(({ id }) => id));
    // A run that has ended before its work was done names what it has left, if that is still there.
    const isTrue = status.phase === Phase.succeeded ? !isThere && named.length === 0 : true;
    return { differences: 0, isTrue };
  },
  most: mostWithOneAddress,
};

/** The name of a request ends with its number. */
const seedOf = (name: string): number => Number(/\d+$/.exec(name)?.[0] ?? 0);

export const removeProtection: TestedOperation<'removeProtection'> = {
  workflowId: 'remove-protection/blue/audit-7',
  cases: [
    {
      operation: 'removeProtection',
      makes: 1,
      changes: 'DELETE',
      state: { ...stateWithProfiles([]), ddosProfiles: profilesFor([0, ...idsFrom(1, 100)]) },
      input: (name) => ({ address: addressOf(seedOf(name)) }),
    },
  ],
  matrix,
  histories: ['protection-removed'],
};
