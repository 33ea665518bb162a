import { ApplicationFailure } from '@temporalio/common';

import { paths } from '../contract/api/paths.js';
import type { ProtectionBody } from '../contract/api/ddos-profile-body.js';
import {
  ddosAccessibilitySchema,
  ddosCoverageSchema,
  profileTemplateListSchema,
} from '../contract/api/ddos-profile.js';
import { FailureType, type FailureDetails, type Fault } from '../contract/failures.js';
import type { ActivityGroups } from './activity-groups.js';
import { checkFields, missingFields } from './check-fields.js';
import type { ApiClient } from './http/api-client.js';

export interface Region {
  regionId: number;
}

/** What the template of a profile says of an input. */
export interface TemplateCheck {
  /** Of what the input names. */
  faults: Fault[];
  /** Of a profile without any field: what the template asks for. */
  faultsIfBare: Fault[];
}

export interface Accessibility {
  isAccessible: boolean;
  message: string | undefined;
}

/** All that can be known before a profile is sent. */
export interface Preflight extends Accessibility {
  /** Whether the region has DDoS protection. */
  isCovered: boolean;
  check: TemplateCheck;
}

/** Reads that tell before an attack, or at its beginning, whether a profile can help. */
export function createDdosPreflightActivities({ api }: { api: ApiClient }) {
  return {
    reads: {
      /**
       * Three reads at once, in one activity: in an attack each activity waits for its own place in a
       * queue that may be full of other work. Each counts in the request budget of the process.
       */
      async preflightProtection(input: Region & { profile: ProtectionBody }): Promise<Preflight> {
        const [isCovered, accessibility, check] = await Promise.all([
          readCoverage(api, input),
          readAccessibility(api, input),
          checkProtection(api, input),
        ]);
        return { isCovered, ...accessibility, check };
      },
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
 * Whether the account may use it there. `GET /cloud/v1/ddos/accessibility/{region_id}`
 * The answer passes on the status of a service behind it: one of 500 and more is an outage, for
 * which a run waits (an assumption: the field is not explained).
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
  if (!is_accessible && (http_code ?? 0) >= 500) throw outage(path, http_code, said);
  return { isAccessible: is_accessible, message: said };
}

/**
 * Holds template and fields against what the API says of them.
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
    repeatable: true,
  });
  const template = results.find(({ id }) => id === profile.profile_template);
  if (template === undefined) {
    const faults = [unknownTemplate(results)];
    return { faults, faultsIfBare: faults };
  }
  const { fields } = profile;
  const faults = fields === undefined ? [] : checkFields(template, fields);
  return { faults, faultsIfBare: missingFields(template, []) };
}

function outage(path: string, status: number | null | undefined, said = 'no reason given'): Error {
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

function unknownTemplate(templates: readonly { id: number; name: string }[]): Fault {
  const known = templates.map(({ id, name }) => `${id} (${name})`).join(', ');
  return {
    path: 'profile.profile_template',
    message: `is no template of this region; it has ${known === '' ? 'none' : known}`,
  };
}
