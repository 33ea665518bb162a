import { ApplicationFailure } from '@temporalio/common';

import { paths } from '../contract/wire/paths.js';
import {
  ddosAccessibilitySchema,
  ddosCoverageSchema,
  profileTemplateListSchema,
  type ProtectionBody,
} from '../contract/api/ddos.js';
import { FailureType, type FailureDetails, type Fault } from '../engine/core/failures.js';
import { firstFaults } from '../engine/core/faults.js';
import type { ActivityGroups } from '../engine/activities/activity-groups.js';
import { checkFields, missingFields } from './check-fields.js';
import { listProfilesOf, type DdosProfileView, type ProfilesToList } from './ddos-profiles.js';
import type { ApiClient } from '../engine/http/api-client.js';
import { withPatientReads } from '../engine/http/patient-reads.js';

export interface Region {
  regionId: number;
}

/** Result of checking an input against the template of a profile. */
export interface TemplateCheck {
  /** Faults of the fields in the input. */
  faults: Fault[];
  /** Faults of a profile without any field: what the template requires. */
  faultsIfBare: Fault[];
}

export interface Accessibility {
  isAccessible: boolean;
  message: string | undefined;
}

/** Everything that reads can tell before a profile is sent. */
export interface Preflight extends Accessibility {
  /** Whether the region has DDoS protection. */
  isCovered: boolean;
  check: TemplateCheck;
  /** The profiles of the address, where the input names one. */
  profiles?: DdosProfileView[];
}

export interface PreflightInput extends Region {
  profile: ProtectionBody;
  profilesOf?: ProfilesToList;
}

/** Reads that tell, before or early in an attack, whether a profile can help. */
export function createDdosPreflightActivities({ api }: { api: ApiClient }) {
  return {
    reads: {
      /**
       * Three or four reads at once, in one activity: during an attack each activity waits for its own slot
       * in a queue that may be full of other work. Each read counts against the request budget of the process.
       */
      preflightProtection: (input: PreflightInput): Promise<Preflight> =>
        withPatientReads(api, async (reads) => {
          const { profilesOf } = input;
          const [isCovered, accessibility, check, profiles] = await Promise.all([
            readCoverage(reads, input),
            readAccessibility(reads, input),
            checkProtection(reads, input),
            profilesOf && listProfilesOf(reads, profilesOf),
          ]);
          return { isCovered, ...accessibility, check, ...(profiles && { profiles }) };
        }),
    },
  } satisfies ActivityGroups;
}

/** `GET /cloud/v1/ddos/region_coverage/{region_id}` */
async function readCoverage(api: ApiClient, { regionId }: Region): Promise<boolean> {
  const { is_covered } = await api.request({
    method: 'GET',
    path: paths.ddosCoverage(regionId),
    response: ddosCoverageSchema,
    repeatable: true,
  });
  return is_covered;
}

/**
 * Whether the account may use DDoS protection in the region.
 * `GET /cloud/v1/ddos/accessibility/{region_id}`
 *
 * The answer passes on the status of a service behind it. The run waits for a status of 500 or more as
 * for an outage (an assumption: the field is undocumented).
 */
async function readAccessibility(api: ApiClient, { regionId }: Region): Promise<Accessibility> {
  const path = paths.ddosAccessibility(regionId);
  const { is_accessible, message, http_code } = await api.request({
    method: 'GET',
    path,
    response: ddosAccessibilitySchema,
    repeatable: true,
  });
  const said = message?.trim() || undefined;
  if (!is_accessible && (http_code ?? 0) >= 500) throw outageFailure(path, http_code, said);
  return { isAccessible: is_accessible, message: said };
}

/**
 * Checks template and fields against the templates of the API.
 * `GET /cloud/v1/ddos/profile-templates/{region_id}`
 */
async function checkProtection(
  api: ApiClient,
  { regionId, profile }: Region & { profile: ProtectionBody },
): Promise<TemplateCheck> {
  const { results } = await api.request({
    method: 'GET',
    path: paths.ddosTemplates(regionId),
    response: profileTemplateListSchema,
    isLarge: true,
    repeatable: true,
  });
  const template = results.find(({ id }) => id === profile.profile_template);
  if (template === undefined) {
    const faults = [unknownTemplateFault(results)];
    return { faults: firstFaults(faults), faultsIfBare: firstFaults(faults) };
  }
  const { fields } = profile;
  const faults = fields === undefined ? [] : checkFields(template, fields);
  const faultsIfBare = missingFields(template, []);
  return { faults: firstFaults(faults), faultsIfBare: firstFaults(faultsIfBare) };
}

function outageFailure(
  path: string,
  status: number | null | undefined,
  said = 'no reason given',
): Error {
  const details: FailureDetails = {
    advice: 'Nothing to do: the call is repeated until the API answers.',
    method: 'GET',
    path,
    ...(typeof status === 'number' ? { status } : {}),
  };
  return ApplicationFailure.create({
    type: FailureType.serviceUnavailable,
    message: `GET ${path} says that DDoS protection is not accessible now: ${said}`,
    details: [details],
  });
}

function unknownTemplateFault(templates: readonly { id: number; name: string }[]): Fault {
  const known = templates.map(({ id, name }) => `${id} (${name})`).join(', ');
  return {
    path: 'profile.profile_template',
    message: `is not a template of this region; it has ${known === '' ? 'none' : known}`,
  };
}
