import type {
  DdosProfileView,
  ProfileIntent,
  ProfilesToList,
} from '../../../activities/ddos-profiles.js';
import { ResourceKind, type Place } from '../../../contract/wire/names.js';
import type { PreparedMaker, PreparedProtectIp } from '../../../contract/wire/prepared.js';
import type { ProfileState } from '../../../contract/operations/protect-ip.js';
import { FailureType } from '../../../engine/core/failures.js';
import type { Resource } from '../../../engine/core/status.js';
import { failure } from '../../../engine/run/failures.js';
import type { Run } from '../../gcore.js';
import { lookUntilGraceEnds } from '../../../engine/wait/look-until.js';

export type ProtectRun = Run<PreparedProtectIp>;

/** Where a profile is, and which address it protects. */
export interface ProfilePlace extends Place {
  address: string;
}

export function placeOf({ projectId, regionId }: PreparedMaker, address: string): ProfilePlace {
  return { projectId, regionId, address };
}

export function listProfiles(run: Run, place: ProfilesToList): Promise<DdosProfileView[]> {
  const options = { summary: `profiles of ${place.address}` };
  return run.api.reads.listDdosProfiles.executeWithOptions(options, [place]);
}

/**
 * Reads one profile of the address. The API has no GET of one profile, and lists lag, so this looks
 * through the grace time. Fails as `OutcomeUnknown` after it: somebody may have removed the profile.
 */
export async function readProfile(
  run: Run,
  place: ProfilePlace,
  profileId: number,
): Promise<DdosProfileView> {
  const until = Date.now() + run.prepared.policy.reconcileGraceMs;
  const name = `profile ${profileId} to be listed`;
  return lookUntilGraceEnds(run, { name, until }, async (isLate) => {
    const profiles = await listProfiles(run, place);
    const profile = profiles.find(({ id }) => id === profileId);
    if (profile === undefined && isLate) throw vanishedFailure(place, profileId);
    return profile;
  });
}

function vanishedFailure({ address }: ProfilePlace, profileId: number): Error {
  return failure(
    FailureType.outcomeUnknown,
    `Profile ${profileId} of ${address} is not listed any more.`,
    { advice: 'Has somebody removed it? Look in the project.' },
  );
}

export function toResource(profileId: number): Resource {
  return { kind: ResourceKind.ddosProfile, id: String(profileId) };
}

/**
 * Always with `fields`: the effect of a PATCH without them is undocumented.
 *
 * @param templateId of the profile: an answer may not say it
 */
export function intentOf({ address, fields }: DdosProfileView, templateId: number): ProfileIntent {
  return {
    ip_address: address,
    profile_template: templateId,
    fields: fields.map(({ base_field, field_value }) => ({
      base_field,
      field_value: toFieldValue(field_value),
    })),
  };
}

/** The API shows values of any kind but accepts only these four. */
function toFieldValue(value: unknown): unknown[] | string | number | null {
  if (Array.isArray(value) || typeof value === 'string' || typeof value === 'number') return value;
  return value === null || value === undefined ? null : JSON.stringify(value);
}

/** The profile as results show it. */
export function toState({ address, templateId, fields, ...rest }: DdosProfileView): ProfileState {
  return {
    profile: {
      ip_address: address,
      profile_template: templateId ?? null,
      fields: fields.map(({ base_field, field_value }) => ({ base_field, field_value })),
    },
    active: rest.active,
    bgp: rest.bgp,
    status: rest.status ?? null,
  };
}
