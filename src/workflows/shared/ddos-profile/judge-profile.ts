import type { DdosProfileView, ProfileOptions } from '../../../activities/ddos-profiles.js';
import type { ProfileFieldBody } from '../../../contract/api/ddos-profile-body.js';
import type { Verdict } from '../../engine/send/verdict.js';

/** What a profile is to be. */
export interface Wanted extends ProfileOptions {
  templateId: number;
  fields: readonly ProfileFieldBody[];
}

/** Which of the profiles of one address a run is about. */
export function chooseProfile(
  profiles: readonly DdosProfileView[],
  profileId: number | undefined,
): Verdict<DdosProfileView> {
  const named = profileId === undefined ? profiles : profiles.filter(({ id }) => id === profileId);
  // One that the platform keeps for itself is nobody's first choice.
  const own = named.filter(({ managedBy }) => managedBy !== 'system');
  const [profile, another] = own.length > 0 ? own : named;
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

/** How template and fields differ from what is wanted, in words; `undefined` when they do not. */
export function describeContentDrift(
  profile: DdosProfileView,
  wanted: Pick<Wanted, 'templateId' | 'fields'>,
): string | undefined {
  const { id, templateId } = profile;
  if (templateId !== wanted.templateId) {
    return `profile ${id} has the template ${templateId ?? 'none'}, not ${wanted.templateId}`;
  }
  const wrong = wanted.fields.filter((field) => !hasField(profile, field));
  const foreign = profile.fields.filter(
    ({ base_field, isUsual }) =>
      !isUsual && !wanted.fields.some((field) => field.base_field === base_field),
  );
  const fields = [...wrong, ...foreign].map(({ base_field }) => base_field);
  return fields.length === 0
    ? undefined
    : `profile ${id} has other values than wanted in: field ${fields.join(', ')}`;
}

function hasField(
  { fields }: DdosProfileView,
  { base_field, field_value = null }: ProfileFieldBody,
): boolean {
  const shown = fields.find((field) => field.base_field === base_field);
  // No value means the usual one.
  if (field_value === null) return shown === undefined || shown.isUsual;
  return shown !== undefined && isSameValue(shown.field_value, field_value);
}

/** A number may come back as a text, and the other way round; lists keep their order. */
function isSameValue(shown: unknown, wanted: unknown): boolean {
  if (Array.isArray(wanted)) {
    if (!Array.isArray(shown) || shown.length !== wanted.length) return false;
    return wanted.every((item, index) => isSameValue(shown[index], item));
  }
  return toText(shown) === toText(wanted);
}

function toText(value: unknown): string {
  return typeof value === 'string' ? value : canonicalJson(value);
}

/** Keys of objects in one order. */
function canonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join()}]`;
  if (!(value instanceof Object)) return JSON.stringify(value);
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return `{${entries.map(([key, item]) => `${JSON.stringify(key)}:${canonicalJson(item)}`).join()}}`;
}

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
/** The words are not documented: these are in use, and look like work in progress. */
const UNDER_WAY = /queue|pending|progress|(?:creat|updat|delet|activat|apply|provision)ing/i;
const NOT_ACTIVE = /inactive|not active|disabled|deactivated/i;

/** What the profile's own status says against it. */
export type StatusVerdict =
  { kind: 'agrees' } | { kind: 'under-way' | 'broken' | 'contradicts'; note: string };

/**
 * Whether the status of a profile agrees with its options. It is an open text: a word that is not
 * known agrees, a description of an error never does.
 */
export function judgeStatus({ id, status, problem, active }: DdosProfileView): StatusVerdict {
  const said = status ?? '';
  const note = `profile ${id} has the status "${said}"${problem === undefined ? '' : ` (${problem})`}`;
  if (BROKEN.test(said) || problem !== undefined) return { kind: 'broken', note };
  if (UNDER_WAY.test(said)) return { kind: 'under-way', note };
  if (active && NOT_ACTIVE.test(said)) return { kind: 'contradicts', note };
  return { kind: 'agrees' };
}

/** What sending template and fields would mend; a status that is an error too, even where they are the same. */
export function describeDrift(
  profile: DdosProfileView,
  wanted: Pick<Wanted, 'templateId' | 'fields'>,
): string | undefined {
  const status = judgeStatus(profile);
  return (
    describeContentDrift(profile, wanted) ?? (status.kind === 'broken' ? status.note : undefined)
  );
}
