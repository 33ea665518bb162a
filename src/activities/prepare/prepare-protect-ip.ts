import { canonicalAddress } from '../../contract/address.js';
import { toMilliseconds } from '../../contract/duration.js';
import { Urgency } from '../../contract/names.js';
import { protectIpInputSchema, type ProtectIpInput } from '../../contract/operations/protect-ip.js';
import { parseInput } from '../../contract/parse-input.js';
import type { DdosProfileBody } from '../../contract/api/ddos-profile-body.js';
import { commonDefaults } from './common-defaults.js';
import { invalidInput } from './invalid-input.js';
import type { PreparedMaker, PrepareDeps } from './prepared-run.js';
import { resolvePlace } from './resolve-place.js';
import { thisRun } from './this-run.js';

export interface PreparedProtectIp extends PreparedMaker {
  /** In the one form that is compared. */
  address: string;
  /** As asked for: `fields` may be missing. */
  profile: DdosProfileBody;
  profileId?: number;
  active: boolean;
  /** Missing: as the profile has it. */
  bgp?: boolean;
  holdForMs?: number;
}

export function createPrepareProtectIp({ defaults, policy, cutShortAt }: PrepareDeps) {
  return {
    /** Fails as `InvalidInput` with every fault by path. */
    async prepareProtectIp(input: unknown): Promise<PreparedProtectIp> {
      const parsed = parseInput<ProtectIpInput>(protectIpInputSchema, input);
      const place = resolvePlace(input, defaults);
      if (!parsed.ok || 'faults' in place) {
        throw invalidInput([
          ...(parsed.ok ? [] : parsed.faults),
          ...('faults' in place ? place.faults : []),
        ]);
      }
      const { marker, workflowId } = thisRun();
      const cutShort = await cutShortAt?.(workflowId);
      return {
        ...withDefaults(parsed.value),
        ...place,
        ...(cutShort === undefined ? {} : { cutShortAt: cutShort }),
        marker,
        policy,
        priorityKey: Urgency.incident,
      };
    },
  };
}

function withDefaults(input: ProtectIpInput) {
  const { profile, profileId, active, bgp, holdFor, onFailure } = input;
  const holdForMs = toMilliseconds(holdFor);
  return {
    ...commonDefaults(input),
    onFailure: onFailure ?? 'rollback',
    address: canonicalAddress(profile.ip_address),
    profile,
    active: active ?? true,
    ...(profileId === undefined ? {} : { profileId }),
    ...(bgp === undefined ? {} : { bgp }),
    ...(holdForMs === undefined ? {} : { holdForMs }),
  } as const;
}
