import type { Preflight, TemplateCheck } from '../../../activities/ddos-preflight.js';
import type { DdosProfileView, ProfileIntent } from '../../../activities/ddos-profiles.js';
import type { ProtectionBody } from '../../../contract/api/ddos-profile-body.js';
import type { Fault } from '../../../contract/failures.js';
import { intentOf } from './ddos-run.js';

/** What a profile is to become, and what its template says against that. */
export interface IntendedProfile {
  intent: ProfileIntent;
  faults: readonly Fault[];
}

interface Asked {
  address: string;
  profile: ProtectionBody;
}

/** Without fields in the input those of the profile stay, as long as the template does. */
export function intendProfile(
  { address, profile: { profile_template, fields } }: Asked,
  before: DdosProfileView | undefined,
  { faults, faultsIfBare }: TemplateCheck,
): IntendedProfile {
  const intent = { ip_address: address, profile_template, fields: fields ?? [] };
  if (fields !== undefined || faults.length > 0) return { intent, faults };
  if (before?.templateId === profile_template) return { intent: intentOf(before), faults: [] };
  return { intent, faults: faultsIfBare };
}

/** Template and fields alone, as the preflight takes them. */
export function toProtection({ profile_template, fields }: ProtectionBody): ProtectionBody {
  return fields === undefined ? { profile_template } : { profile_template, fields };
}

/** Why no profile can help in a region; `undefined` when one can. */
export function whyNoProtection(
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
