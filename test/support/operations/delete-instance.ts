import { Phase } from '../../../src/engine/core/status.js';
import type { DeleteInstanceInput } from '../../../src/contract/operations/types.js';
import { BAD_DELETE_INPUTS } from '../inputs/bad-delete-inputs.js';
import {
  bootVolumeOf,
  dataVolumeOf,
  existingIdsOf,
  idsOf,
  instanceIdOf,
  partsOfInstances,
  stateWithInstances,
} from '../worlds/instances.js';
import { idsFrom } from '../worlds/ssh-keys.js';
import type { EndedRun, MatrixOperation } from './matrix-operation.js';
import type { EndedCase, OperationCase, TestedOperation } from './tested-operation.js';

const makerOf = (seed: number): string => `provision-instance/default/matrix-${seed}`;
const INSTANCES = /^\/cloud\/v1\/instances\/\d+\/\d+\/./;

/** Every third seed keeps its data volume. */
const keepsData = (seed: number): boolean => seed % 3 === 0;

function inputOf(seed: number): Omit<DeleteInstanceInput, 'account'> {
  return {
    ...(seed % 2 === 0 ? { instanceId: instanceIdOf(seed) } : { madeBy: makerOf(seed) }),
    volumes: keepsData(seed) ? [bootVolumeOf(seed)] : 'delete',
    floatingIps: 'delete',
  };
}

const matrix: MatrixOperation = {
  operation: 'deleteInstance',
  calls: {
    create: { method: 'DELETE', path: INSTANCES },
    wait: { method: 'GET', path: /^\/cloud\/v1\/tasks/ },
    verify: { method: 'GET', path: INSTANCES },
  },
  // Only new resources show late in lists, and a deletion creates none.
  without: ['list lag'],
  repeatsFailedTasks: true,
  input: ({ seed }) => inputOf(seed),
  stateFor: (seeds) =>
    partsOfInstances(seeds.map((of) => ({ of, marker: `default/${makerOf(of)}` }))),
  judge: (run) => {
    const { seed, status, simulator } = run;
    const kept = keepsData(seed) ? [dataVolumeOf(seed)] : [];
    const existing = existingIdsOf(simulator, seed);
    const chosen = existing.filter((id) => !kept.includes(id));
    const named = namedBy(status);
    const hasFound = status.steps[0]?.state === 'verified';
    const unnamed = hasFound ? chosen.filter((id) => !named.includes(id)) : [];
    // A stopped run also names resources whose deletion was under way: they may be gone by now.
    const wrong = status.phase === Phase.succeeded ? named : [];
    return {
      differences: unnamed.length + wrong.length,
      isTrue: kept.every((id) => existing.includes(id)) && isTrue(run, chosen),
    };
  },
};

function isTrue({ status }: EndedRun, chosen: readonly string[]): boolean {
  return status.phase !== Phase.succeeded || chosen.length === 0;
}

function namedBy({ steps }: EndedCase['status']): string[] {
  return steps.flatMap(({ resources }) => resources.map(({ id }) => id));
}

/** Returns the seed of a request: its name ends with a number that starts at 0. */
function seedOf(name: string): number {
  return Number(name.split('-').at(-1)) + 1;
}

const plainCase: OperationCase<'deleteInstance'> = {
  operation: 'deleteInstance',
  makes: 0,
  changes: 'DELETE',
  state: stateWithInstances(idsFrom(1, 60).map((of) => ({ of }))),
  input: (name) => ({
    instanceId: instanceIdOf(seedOf(name)),
    volumes: 'delete',
    floatingIps: 'delete',
  }),
  existing: (name, { instances, volumes, floatingIps }) =>
    [...instances, ...volumes, ...floatingIps]
      .map(({ id }) => id)
      .filter((id) => idsOf(seedOf(name)).includes(id)),
  differences: (name, { status, ledger, existing }) => {
    if (status.steps[0]?.state !== 'verified') {
      // Nothing was sent, so everything must still exist.
      return { ledger, existing: idsOf(seedOf(name)).filter((id) => !existing.includes(id)) };
    }
    return {
      // A stopped run also names resources whose deletion was under way: they may be gone by now.
      ledger: status.phase === Phase.succeeded ? ledger : [],
      existing: existing.filter((id) => !ledger.includes(id)),
    };
  },
};

export const deleteInstance: TestedOperation<'deleteInstance'> = {
  workflowId: 'delete-instance/blue/audit-7',
  cases: [plainCase],
  matrix,
  histories: ['already-gone', 'deletion-refused', 'instance-deleted'],
  badInputs: BAD_DELETE_INPUTS,
};
