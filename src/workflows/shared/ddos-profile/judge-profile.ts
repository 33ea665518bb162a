import type { DdosProfileView, ProfileOptions } from '../../../activities/ddos-profiles.js';
import type { ProfileFieldBody } from '../../../contract/api/ddos.js';
import { isSameValue } from '../../../engine/core/values.js';
import type { Verdict } from '../../../engine/send/verdict.js';

/** The wanted state of a profile. */
export interface WantedProfile extends ProfileOptions {
  templateId: number;
  fields: readonly ProfileFieldBody[];
}

/** Chooses the profile of an address that a run works on. */
export function chooseProfile(
  profiles: readonly DdosProfileView[],
  profileId: number | undefined,
): Verdict<DdosProfileView> {
  const named = profileId === undefined ? profiles : profiles.filter(({ id }) => id === profileId);
  // A profile that the platform manages itself is only the second choice.
  const byUsers = named.filter(({ managedBy }) => managedBy !== 'system');
  const [profile, another] = byUsers.length > 0 ? byUsers : named;
  if (profile === undefined) {
    if (profiles.length === 0) return { kind: 'absent' };
    const note = `The address has no profile ${profileId ?? ''}, only ${idsOf(profiles)}.`;
    return { kind: 'contradiction', note };
  }
  if (another === undefined) return { kind: 'present', resource: profile, taskIds: [] };
  const note = `The address has several profiles: ${idsOf(named)}. Name one of them as "profileId".`;
  return { kind: 'contradiction', note };
}

function idsOf(profiles: readonly DdosProfileView[]): string {
  return profiles.map(({ id }) => id).join(', ');
}

/**
 * How template and fields differ from the wanted ones, in words; `undefined` when they do not.
 *
 * @param isCarriedOut the API has carried out a call that names all of it: then a template that it does not show is no other
 */
export function describeContentDrift(
  profile: DdosProfileView,
  wanted: Pick<WantedProfile, 'templateId' | 'fields'>,
  isCarriedOut = false,
): string | undefined {
  const { id, templateId } = profile;
  const isUntold = templateId === undefined && isCarriedOut;
  if (templateId !== wanted.templateId && !isUntold) {
    return `profile ${id} has the template ${templateId ?? 'none'}, not ${wanted.templateId}`;
  }
  const shown = firstOfEach(profile.fields);
  const named = firstOfEach(wanted.fields);
  const wrong = wanted.fields.filter((field) => !agrees(shown.get(field.base_field), field));
  const foreign = profile.fields.filter(
    ({ base_field, isUsual }) => !isUsual && !named.has(base_field),
  );
  const fields = [...wrong, ...foreign].map(({ base_field }) => base_field);
  return fields.length === 0
    ? undefined
    : `profile ${id} has other values than wanted in field ${fields.join(', ')}`;
}

/** By their ids: an answer may have thousands. */
function firstOfEach<T extends { base_field: number }>(fields: readonly T[]): Map<number, T> {
  return new Map(fields.toReversed().map((field) => [field.base_field, field]));
}

function agrees(
  shown: DdosProfileView['fields'][number] | undefined,
  { field_value = null }: ProfileFieldBody,
): boolean {
  // No value means the default value.
  if (field_value === null) return shown === undefined || shown.isUsual;
  return shown !== undefined && isSameValue(shown.field_value, field_value);
}

/** How the options differ from the wanted ones, in words; `undefined` when they do not. */
export function describeOptionsDrift(
  { id, active, bgp }: DdosProfileView,
  wanted: ProfileOptions,
): string | undefined {
  if (active !== wanted.active) {
    return `profile ${id} is ${active ? 'active' : 'not active'}`;
  }
  return bgp === wanted.bgp ? undefined : `profile ${id} has bgp ${bgp ? 'on' : 'off'}`;
}

const BROKEN = /error|fail/i;
/** The API does not document its words. These occur, and mean work in progress. */
const UNDER_WAY = /queue|pending|progress|(?:creat|updat|delet|activat|apply|provision)ing/i;
const NOT_ACTIVE = /inactive|not active|disabled|deactivated/i;

/** What the status of a profile says about it. */
export type StatusVerdict =
  { kind: 'agrees' } | { kind: 'under-way' | 'broken' | 'contradicts'; note: string };

/**
 * Whether the status of a profile agrees with its options. The status is free text: an unknown word
 * agrees, a description of an error never does.
 */
export function judgeStatus({ id, status, problem, active }: DdosProfileView): StatusVerdict {
  const word = status ?? '';
  const note = `profile ${id} has the status "${word}"${problem === undefined ? '' : ` (${problem})`}`;
  if (BROKEN.test(word) || problem !== undefined) return { kind: 'broken', note };
  if (UNDER_WAY.test(word)) return { kind: 'under-way', note };
  if (active && NOT_ACTIVE.test(word)) return { kind: 'contradicts', note };
  return { kind: 'agrees' };
}

/** What sending template and fields would repair: a difference, or a status that is an error. */
export function describeDrift(
  profile: DdosProfileView,
  wanted: Pick<WantedProfile, 'templateId' | 'fields'>,
  isCarriedOut = false,
): string | undefined {
  const status = judgeStatus(profile);
  return (
    describeContentDrift(profile, wanted, isCarriedOut) ??
    (status.kind === 'broken' ? status.note : undefined)
  );
}
