import { Phase } from '../../../../src/contract/status.js';
import { mostWithOneAddress } from '../../../support/worlds/marked.js';
import { PORTS, PROFILES_PATH, protectInput } from '../../../support/inputs/protect-input.js';
import type { MatrixOperation } from './matrix-operation.js';

const TEMPLATE = 12;

/** Of the range for benchmarks; each seed has its own. */
const addressOf = (seed: number): string =>
  `198.18.${Math.floor(seed / 250) % 250}.${(seed % 250) + 1}`;

export const protectIp: MatrixOperation = {
  operation: 'protectIp',
  calls: {
    create: { method: 'POST', path: PROFILES_PATH },
    wait: { method: 'GET', path: /^\/cloud\/v1\/tasks/ },
    // The first look at the list comes before anything is sent, and the next one looks for an earlier try.
    verify: { method: 'GET', path: PROFILES_PATH, nth: 3 },
    rollback: { method: 'DELETE', path: new RegExp(`^${PROFILES_PATH}/`) },
  },
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
