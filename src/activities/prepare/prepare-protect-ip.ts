import { canonicalAddress } from '../../contract/wire/address.js';
import { toMilliseconds } from '../../engine/schema/parse-input.js';
import { Urgency } from '../../engine/core/names.js';
import { protectIpInputSchema as schema } from '../../contract/operations/protect-ip.js';
import type { ProtectIpInput } from '../../contract/operations/types.js';
import { checkPlacedInput } from './check-input.js';
import type { FirstEvent } from '../../engine/core/prepared-run.js';
import { commonDefaults } from './common-defaults.js';
import type { PreparedProtectIp } from '../../contract/wire/prepared.js';
import type { PrepareDeps } from './prepare-deps.js';
import { earlierCutShortThere } from './refuse-moved.js';
import { thisMaker, thisRun } from './this-run.js';

export function createPrepareProtectIp(deps: PrepareDeps) {
  return {
    /** Fails as `InvalidInput` with every fault by path. */
    async prepareProtectIp(input: unknown, first?: FirstEvent): Promise<PreparedProtectIp> {
      const { value, place } = checkPlacedInput<ProtectIpInput>(schema, input, deps);
      const defaults = withDefaults(value, deps);
      return {
        ...defaults,
        ...place,
        ...(await earlierCutShortThere(deps, first, { schema, input, place })),
        marker: thisRun().marker,
        ...(await thisMaker(deps)),
        policy: deps.policy,
        priorityKey: Urgency.incident,
      };
    },
  };
}

function withDefaults(input: ProtectIpInput, deps: PrepareDeps) {
  const { profile, profileId, active, bgp, holdFor, onFailure } = input;
  const holdForMs = toMilliseconds(holdFor);
  return {
    ...commonDefaults(input, deps),
    onFailure: onFailure ?? 'rollback',
    address: canonicalAddress(profile.ip_address),
    profile,
    active: active ?? true,
    ...(profileId === undefined ? {} : { profileId }),
    ...(bgp === undefined ? {} : { bgp }),
    ...(holdForMs === undefined ? {} : { holdForMs }),
  } as const;
}
