import { Phase } from '../../../src/engine/core/status.js';
import { MARKER_TAG } from '../../../src/contract/wire/names.js';
import type { SimulatorState } from '../../../src/simulator/index.js';
import { callByHand } from '../http/call-by-hand.js';
import { BAD_PROVISION_INPUTS } from '../inputs/bad-inputs.js';
import { CREATE_PATH, provisionInput } from '../inputs/provision-input.js';
import { inBatches } from '../timing/in-batches.js';
import { mostWithOneMarker, existingOf } from '../worlds/marked.js';
import type { EndedRun, MatrixOperation } from './matrix-operation.js';
import type { OperationCase, TestedOperation } from './tested-operation.js';

/**
 * A volume that an earlier, successful run of the same request made: its instance was deleted by hand,
 * and Temporal has forgotten the run. Nothing tells which run it was.
 */
function keptVolume(seed: number): SimulatorState['volumes'][number] {
  const number = String(seed).padStart(12, '0');
  const tags = { [MARKER_TAG]: `default/seed-${seed}` };
  return {
    id: `0000000a-0000-4000-8000-${number}`,
    projectId: 1,
    regionId: 1,
    createdAt: 0,
    listedAt: 0,
    creatorTaskId: null,
    taskId: null,
    tags,
    name: `kept-${seed}`,
    status: 'available',
    size: 20,
    volumeType: 'standard',
    isRootVolume: true,
    instanceId: null,
  };
}

/** More than a page of a cloud list. */
const CROWD = 1_100;
const CROWD_AT_ONCE = 50;

const matrix: MatrixOperation = {
  operation: 'provisionInstance',
  calls: {
    create: { method: 'POST', path: /^\/cloud\/v2\/instances\// },
    wait: { method: 'GET', path: /^\/cloud\/v1\/tasks/ },
    verify: { method: 'GET', path: /^\/cloud\/v1\/instances\/\d+\/\d+\/./ },
    rollback: { method: 'DELETE', path: /./ },
  },
  input: ({ seed, name, onFailure }) => {
    const network_id = '5b2bd9c2-4c5a-4f39-a4e4-5f4d8d2bb0aa';
    const interfaces = [
      { type: 'any_subnet' as const, network_id, floating_ip: { source: 'new' as const } },
    ];
    const instance = seed % 2 === 0 ? { name } : { name, interfaces };
    return provisionInput(instance, { onFailure });
  },
  crowd: async (api, name) => {
    const { instance } = provisionInput({ name });
    await inBatches([...Array(CROWD).keys()], CROWD_AT_ONCE, () =>
      callByHand(api, `POST ${CREATE_PATH}`, instance),
    );
  },
  stateFor: (seeds) => ({ volumes: seeds.map(keptVolume) }),
  verifyingReads: 2,
  judge: (run) => {
    const { status, name, simulator, isHidden, seed } = run;
    const inventory = simulator.inventory();
    const found = existingOf(status, { workflowId: name, inventory });
    const { id: kept } = keptVolume(seed);
    const { ledger } = found;
    const existing = found.existing.filter((id) => id !== kept);
    const unnamed = existing.filter((id) => !ledger.includes(id));
    const gone = ledger.filter((id) => !existing.includes(id));
    return {
      // A hidden run also names resources that may not exist. Only an unnamed resource is an error.
      differences: unnamed.length + (isHidden ? 0 : gone.length),
      isTrue: isTrue(run, existing) && found.existing.includes(kept),
    };
  },
  most: mostWithOneMarker,
};

/**
 * A run that succeeded has exactly one instance, and it is ACTIVE. A run that was to roll back has
 * left nothing, unless nobody can know what it did.
 */
function isTrue(
  { status, simulator, onFailure, isHidden }: EndedRun,
  existing: readonly string[],
): boolean {
  if (status.phase !== Phase.succeeded) {
    return onFailure === 'keep' || isHidden || existing.length === 0;
  }
  const own = simulator.inventory().instances.filter(({ id }) => existing.includes(id));
  return own.length === 1 && own[0]?.status === 'ACTIVE';
}

const plainCase: OperationCase<'provisionInstance'> = {
  operation: 'provisionInstance',
  makes: 1,
  changes: 'POST',
  // It looks whether the request has made something before.
  readsInChange: 2,
  input: (name) =>
    provisionInput({
      name,
      interfaces: [
        {
          type: 'any_subnet',
          network_id: '5b2bd9c2-4c5a-4f39-a4e4-5f4d8d2bb0aa',
          floating_ip: { source: 'new' },
        },
      ],
    }),
};

export const provisionInstance: TestedOperation<'provisionInstance'> = {
  workflowId: 'provision-instance/blue/audit-7',
  cases: [plainCase],
  matrix,
  histories: [
    'aborted',
    'adopted',
    'blocked',
    'cancelled',
    'created-protected',
    'created',
    'deadline',
    'invalid-input',
    'planned',
    'recovered',
    'task-error',
    'told',
    'traced',
  ],
  badInputs: BAD_PROVISION_INPUTS,
};
