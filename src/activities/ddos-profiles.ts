import { paths } from '../contract/wire/paths.js';
import { canonicalAddress } from '../contract/wire/address.js';
import {
  ddosProfileListSchema,
  type DdosProfile,
  type ProfileFieldBody,
} from '../contract/api/ddos.js';
import type { Place } from '../contract/wire/names.js';
import type { ActivityGroups } from '../engine/activities/activity-groups.js';
import { beforeSending } from '../engine/activities/before-sending.js';
import { FailureType } from '../engine/core/failures.js';
import type { StartedRemoval } from '../engine/core/tasks.js';
import type { ApiClient } from '../engine/http/api-client.js';
import { toApplicationFailure } from '../engine/http/describe-failure.js';
import { withPatientReads } from '../engine/http/patient-reads.js';
import { change, remove } from './cloud-calls.js';
import { readAllRows } from './cloud-list.js';

/** What a run needs to know about a profile. */
export interface DdosProfileView {
  id: number;
  address: string;
  templateId: number | undefined;
  /** Fields with a value. `isUsual`: empty, or the default of the template. */
  fields: { base_field: number; field_value: unknown; isUsual: boolean }[];
  active: boolean;
  bgp: boolean;
  status: string | undefined;
  /** The reason for the status, if the API gives one. */
  problem: string | undefined;
  managedBy: string | undefined;
}

/** The whole intent: a PATCH replaces the profile, and one without `fields` is undocumented. */
export interface ProfileIntent {
  ip_address: string;
  profile_template: number;
  fields: ProfileFieldBody[];
}

/** The API requires both. */
export interface ProfileOptions {
  active: boolean;
  bgp: boolean;
}

export interface CreateProfileInput extends Place {
  intent: ProfileIntent;
  /** The run that looked before this call; see `refuseInResetRuns`. */
  maker: string;
}

type OneProfile = Place & { profileId: number };
/** One call: the content or the options. */
type ProfileChange<K extends 'intent' | 'options'> = OneProfile &
  Pick<{ intent: ProfileIntent; options: ProfileOptions }, K>;
type ProfilesOf = Place & { address: string };

export interface ProfilesToList extends Place {
  address: string;
  /** Which one is meant depends on whether it is alone, and one list may lack a row: what either of two lists shows is there. */
  inTwoLists?: boolean;
}

export function createDdosProfileActivities({ api }: { api: ApiClient }) {
  return {
    reads: {
      listDdosProfiles: (input: ProfilesToList): Promise<DdosProfileView[]> =>
        withPatientReads(api, (reads) => listProfilesOf(reads, input)),
    },
    mutations: {
      /** `POST /cloud/v1/ddos/profiles/…`. One attempt: a second call creates a second profile. */
      async createDdosProfile({ intent, ...place }: CreateProfileInput) {
        const path = paths.ddosProfiles(place);
        return change(api, { method: 'POST', path, body: intent, bodyAt: 'profile' });
      },

      /** `PATCH /cloud/v1/ddos/profiles/…/{profile_id}`. No task ids when nothing had to change. */
      async updateDdosProfile({ intent, profileId, ...place }: ProfileChange<'intent'>) {
        const path = paths.ddosProfile(place, profileId);
        return change(api, { method: 'PATCH', path, body: intent, bodyAt: 'profile' });
      },

      /** `POST /cloud/v1/ddos/profiles/…/{profile_id}/action` */
      async switchDdosProfile({ options, profileId, ...place }: ProfileChange<'options'>) {
        const path = paths.ddosProfileAction(place, profileId);
        return change(api, { method: 'POST', path, body: options });
      },
    },
    deletes: {
      /**
       * No task ids when the profile was already gone. With `address` it fails as `RemovalBlocked` when the profile is that of
       * another address by now: a PATCH gives it to one.
       */
      async deleteDdosProfile({
        profileId,
        address,
        ...place
      }: OneProfile & { address?: string }): Promise<StartedRemoval> {
        if (address !== undefined) await refuseGivenAway(api, { ...place, address }, profileId);
        return remove(api, paths.ddosProfile(place, profileId));
      },
    },
  } satisfies ActivityGroups;
}

/** The API has no read of one profile: where the list of the address does not show it, the list of all does. */
function refuseGivenAway(
  api: ApiClient,
  { address, ...place }: ProfilesOf,
  profileId: number,
): Promise<void> {
  return beforeSending(() =>
    withPatientReads(api, async (reads) => {
      const own = await listProfilesOf(reads, { ...place, address });
      if (own.some(({ id }) => id === profileId)) return;
      const all = await listViews(reads, { path: paths.ddosProfiles(place) });
      const other = all.find(({ id }) => id === profileId);
      if (other === undefined || other.address === canonicalAddress(address)) return;
      throw toApplicationFailure({
        type: FailureType.removalBlocked,
        message: `DDoS profile ${profileId} would be deleted, and somebody has given it to ${other.address}`,
        details: {},
      });
    }),
  );
}

/**
 * The profiles of exactly this address. `GET /cloud/v1/ddos/profiles/…?ip_address=`
 * Compares again here: an API without the filter returns all profiles.
 */
export async function listProfilesOf(
  reads: ApiClient,
  { inTwoLists = false, ...asked }: ProfilesToList,
): Promise<DdosProfileView[]> {
  const first = await listOnce(reads, asked);
  if (!inTwoLists || first.length === 0) return first;
  const byId = (profiles: readonly DdosProfileView[]) =>
    profiles.map((profile): [number, DdosProfileView] => [profile.id, profile]);
  return [...new Map([...byId(first), ...byId(await listOnce(reads, asked))]).values()];
}

async function listOnce(
  reads: ApiClient,
  { address: asked, ...place }: ProfilesOf,
): Promise<DdosProfileView[]> {
  const wanted = canonicalAddress(asked);
  const query = { ip_address: asked };
  const views = await listViews(reads, { path: paths.ddosProfiles(place), query });
  return views.filter(({ address }) => address === wanted);
}

async function listViews(
  reads: ApiClient,
  list: { path: string; query?: { ip_address: string } },
): Promise<DdosProfileView[]> {
  const rows = await readAllRows(reads, { ...list, response: ddosProfileListSchema });
  return rows.map(toView);
}

function toView(profile: DdosProfile): DdosProfileView {
  const { options, status } = profile;
  return {
    id: profile.id,
    address: canonicalAddress(profile.ip_address),
    templateId: profile.profile_template?.id,
    fields: profile.fields
      .filter(({ field_value: value }) => value !== null && value !== undefined)
      .map(({ base_field, field_value, default: usual }) => ({
        base_field,
        field_value,
        isUsual: isUsual(field_value, usual),
      })),
    active: options.active,
    bgp: options.bgp,
    status: status?.status,
    problem: status?.error_description?.trim() || undefined,
    managedBy: profile.managed_by ?? undefined,
  };
}

/** The default of a field is a string, whatever the type of its value. */
function isUsual(value: unknown, usual: string | undefined): boolean {
  if (value === '' || (Array.isArray(value) && value.length === 0)) return true;
  return usual !== undefined && (value === usual || JSON.stringify(value) === usual);
}
