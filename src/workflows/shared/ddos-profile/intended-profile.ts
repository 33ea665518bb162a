import type { Preflight, TemplateCheck } from '../../../activities/ddos-preflight.js';
import type { DdosProfileView, ProfileIntent } from '../../../activities/ddos-profiles.js';
import type { ProfileFieldBody, ProtectionBody } from '../../../contract/api/ddos.js';
import type { Fault } from '../../../engine/core/failures.js';
import { intentOf } from './ddos-run.js';

/** What a profile should become, and the faults that its template finds in that. */
export interface IntendedProfile {
  intent: ProfileIntent;
  faults: readonly Fault[];
}

interface AskedProfile {
  address: string;
  profile: ProtectionBody;
}

/** Without fields in the input, the profile keeps its fields while it keeps its template. */
export function intendProfile(
  { address, profile: { profile_template, fields } }: AskedProfile,
  before: DdosProfileView | undefined,
  { faults, faultsIfBare }: TemplateCheck,
): IntendedProfile {
  const intent = { ip_address: address, profile_template, fields: (fields ?? []).map(toField) };
  if (fields !== undefined || faults.length > 0) return { intent, faults };
  if (before?.templateId === profile_template) {
    return { intent: intentOf(before, profile_template), faults: [] };
  }
  return { intent, faults: faultsIfBare };
}

/** Without the empty `value`, which the API has no more. */
function toField({ base_field, field_value }: ProfileFieldBody): ProfileFieldBody {
  return field_value === undefined ? { base_field } : { base_field, field_value };
}

/** Only template and fields, as the preflight takes them. */
export function toProtection({ profile_template, fields }: ProtectionBody): ProtectionBody {
  return fields === undefined ? { profile_template } : { profile_template, fields };
}

/** Why a profile cannot help in a region; `undefined` when it can. */
export function whyUnprotectable(
  regionId: number,
  {
    isCovered,
    isAccessible,
    message = '',
  }: Pick<Preflight, 'isCovered' | 'isAccessible'> & {
    message?: string | undefined;
  },
): string | undefined {
  if (!isCovered) return `Region ${regionId} has no DDoS protection`;
  if (isAccessible) return undefined;
  return `Region ${regionId} does not give this account DDoS protection: ${message}`.trim();
}
