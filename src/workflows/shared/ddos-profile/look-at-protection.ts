import type { DdosProfileView, ProfileIntent } from '../../../activities/ddos-profiles.js';
import type { Place } from '../../../contract/place.js';
import type { ProtectionBody } from '../../../contract/api/ddos-profile-body.js';
import { faultFinding } from '../../../contract/fault-finding.js';
import type { Draft, PlanReads } from '../../engine/plan/planning.js';
import { intendProfile, toProtection, whyNoProtection } from './intended-profile.js';
import { chooseProfile } from './judge-profile.js';
import { explainMissingPlace } from '../plan/explain-missing-place.js';

/** A protection that is asked for, and where the input says so. */
export interface AskedProtection {
  place: Place;
  /** Missing while it is not known. */
  address?: string | undefined;
  profile: ProtectionBody;
  profileId?: number | undefined;
  /** Such as `profile` or `protect`. */
  path: string;
  regionPath: string;
}

export interface SeenProtection {
  /** The profile that the address has. */
  before: DdosProfileView | undefined;
  intent: ProfileIntent;
}

/** Can a profile help here, what does its template say, which one is there? `undefined`: nothing would be sent. */
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
  const why = whyNoProtection(regionId, preflight.value);
  if (why !== undefined) {
    draft.fault({
      path: regionPath,
      message: why,
      advice: 'Ask the support of the API, or protect the address by other means.',
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
    () => reads.listDdosProfiles({ ...place, address }),
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
    advice: 'Name the one that is meant, or leave it out where there is only one.',
  });
  return undefined;
}
