import type { DdosProfileView, ProfileIntent } from '../../../activities/ddos-profiles.js';
import type { Place } from '../../../contract/wire/names.js';
import type { ProtectionBody } from '../../../contract/api/ddos.js';
import { faultFinding } from '../../../engine/core/faults.js';
import type { Draft } from '../../../engine/plan/planning.js';
import type { PlanReads } from '../../gcore.js';
import { intendProfile, toProtection, whyUnprotectable } from './intended-profile.js';
import { chooseProfile } from './judge-profile.js';
import { explainMissingPlace } from '../plan/plan-parts.js';

/** A requested protection, and where the input asks for it. */
export interface AskedProtection {
  place: Place;
  /** Left out while it is unknown. */
  address?: string | undefined;
  profile: ProtectionBody;
  profileId?: number | undefined;
  /** Such as `profile` or `protect`. */
  path: string;
  regionPath: string;
}

export interface SeenProtection {
  /** The profile that the address has now. */
  before: DdosProfileView | undefined;
  intent: ProfileIntent;
}

/**
 * Checks whether a profile can help here, what its template says, and which profile is there. Returns
 * `undefined` when the run would send nothing.
 */
export async function lookAtProtection(
  reads: PlanReads,
  draft: Draft,
  asked: AskedProtection,
): Promise<SeenProtection | undefined> {
  const { place, address = '', profile, path, regionPath } = asked;
  const { regionId } = place;
  const preflight = await draft.look(
    `the DDoS protection of region ${regionId}`,
    () => reads.preflightProtection({ regionId, profile: toProtection(profile) }),
    path,
  );
  if (preflight.is === 'missing') await explainMissingPlace(reads, draft, { place, regionPath });
  if (preflight.is !== 'there') return undefined;
  const why = whyUnprotectable(regionId, preflight.value);
  if (why !== undefined) {
    draft.fault({
      path: regionPath,
      message: why,
      advice: 'Ask the support of the API, or protect the address in another way.',
    });
    return undefined;
  }
  const found = await lookForProfile(reads, draft, asked);
  if (found === undefined) return undefined;
  const { before } = found;
  const { intent, faults } = intendProfile({ address, profile }, before, preflight.value.check);
  for (const fault of faults) {
    draft.fault({ ...faultFinding(fault), path: fault.path.replace(/^profile/, path) });
  }
  return { before, intent };
}

async function lookForProfile(
  reads: PlanReads,
  draft: Draft,
  { place, address, profileId, path, regionPath }: AskedProtection,
): Promise<Pick<SeenProtection, 'before'> | undefined> {
  if (address === undefined) return { before: undefined };
  const listed = await draft.look(
    `the DDoS profiles of ${address}`,
    () => reads.listDdosProfiles({ ...place, address, inTwoLists: profileId === undefined }),
    path,
  );
  if (listed.is === 'missing') await explainMissingPlace(reads, draft, { place, regionPath });
  if (listed.is !== 'there') return undefined;
  const verdict = chooseProfile(listed.value, profileId);
  if (verdict.kind !== 'contradiction') {
    return { before: verdict.kind === 'present' ? verdict.resource : undefined };
  }
  draft.fault({
    path: 'profileId',
    message: verdict.note,
    advice: 'Name the right profile, or leave "profileId" out if there is only one.',
  });
  return undefined;
}
