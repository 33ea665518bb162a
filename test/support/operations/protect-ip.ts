import { Phase } from '../../../src/engine/core/status.js';
import type { Inventory } from '../../../src/simulator/index.js';
import { BAD_PROTECT_INPUTS } from '../inputs/bad-protect-inputs.js';
import { stateWithProfiles, PORTS, PROFILES_PATH, protectInput } from '../inputs/protect-input.js';
import { mostWithOneAddress } from '../worlds/marked.js';
import type { MatrixOperation } from './matrix-operation.js';
import type { OperationCase, TestedOperation } from './tested-operation.js';

const TEMPLATE = 12;

/** Each seed has its own address from the range for benchmarks. */
const addressOf = (seed: number): string =>
  `198.18.${Math.floor(seed / 250) % 250}.${(seed % 250) + 1}`;

const matrix: MatrixOperation = {
  operation: 'protectIp',
  calls: {
    create: { method: 'POST', path: PROFILES_PATH },
    wait: { method: 'GET', path: /^\/cloud\/v1\/tasks/ },
    // The first two reads come before the run sends anything.
    verify: { method: 'GET', path: PROFILES_PATH, nth: 3 },
    rollback: { method: 'DELETE', path: new RegExp(`^${PROFILES_PATH}/`) },
  },
  verifyingReads: 2,
  leftovers: ['none', 'profile'],
  input: ({ seed, onFailure }) =>
    protectInput({
      profile: { ip_address: addressOf(seed), profile_template: TEMPLATE, fields: [PORTS] },
      onFailure,
    }),
  judge: ({ seed, status, simulator, onFailure, isHidden }) => {
    const profiles = simulator
      .inventory()
      .ddosProfiles.filter(({ ip_address: address }) => address === addressOf(seed));
    const existing = profiles.map(({ id }) => String(id));
    const ledger = status.steps.flatMap(({ resources }) => resources.map(({ id }) => id));
    const unnamed = existing.filter((id) => !ledger.includes(id));
    const gone = ledger.filter((id) => !existing.includes(id));
    const isProtected =
      profiles.length === 1 &&
      profiles.every(
        ({ options, profile_template: template }) => options.active && template?.id === TEMPLATE,
      );
    const isLeft = onFailure === 'keep' || isHidden || existing.length === 0;
    return {
      differences: unnamed.length + (isHidden ? 0 : gone.length),
      isTrue: status.phase === Phase.succeeded ? isProtected : isLeft,
    };
  },
  most: mostWithOneAddress,
};

/** Each request has its own address. */
function addressOfRequest(name: string): string {
  return `203.0.113.${/\d+$/.exec(name)?.[0] ?? '255'}`;
}

function profilesOf(inventory: Inventory, name: string) {
  const address = addressOfRequest(name);
  return inventory.ddosProfiles.filter((profile) => profile.ip_address === address);
}

function inputOf(name: string): ReturnType<typeof protectInput> {
  const { profile, ...rest } = protectInput();
  return { ...rest, profile: { ...profile, ip_address: addressOfRequest(name) } };
}

const ADDRESSES = Array.from({ length: 100 }, (_, index) => addressOfRequest(String(index)));

const newProfile: OperationCase<'protectIp'> = {
  operation: 'protectIp',
  where: 'an address without a profile',
  makes: 1,
  changes: 'POST',
  input: inputOf,
  existing: (name, inventory) => profilesOf(inventory, name).map(({ id }) => String(id)),
};

const existingProfile: OperationCase<'protectIp'> = {
  operation: 'protectIp',
  where: 'an address with a profile',
  makes: 1,
  changes: 'PATCH',
  state: stateWithProfiles(ADDRESSES),
  input: inputOf,
  // Only a changed profile counts as made by the run.
  existing: (name, inventory) =>
    profilesOf(inventory, name)
      .filter(({ options, profile_template: template }) => options.active || template?.id !== 13)
      .map(({ id }) => String(id)),
};

export const protectIp: TestedOperation<'protectIp'> = {
  workflowId: 'protect-ip/blue/audit-7',
  cases: [newProfile, existingProfile],
  matrix,
  histories: ['activation-failed', 'held', 'protection-cancelled'],
  badInputs: BAD_PROTECT_INPUTS,
};
