import { z } from 'zod';

import type { Fault } from '../../engine/core/failures.js';
import type { Place } from '../../contract/wire/place.js';
import { accountIn, rulesOf, type RulesDeps } from './account-rules.js';

const placeSchema = z.object({ projectId: z.unknown(), regionId: z.unknown() }).partial().catch({});

/** The place of the calls. Reads the raw input, so that a missing place is reported together with other faults. */
export function resolvePlace(input: unknown, deps: RulesDeps): Place | { faults: Fault[] } {
  const account = accountIn(input);
  const given = placeSchema.parse(input);
  const defaults = rulesOf(account, deps);
  const projectId = given.projectId ?? defaults.projectId;
  const regionId = given.regionId ?? defaults.regionId;
  const missing = [
    ...(projectId === undefined ? [missingPlace('projectId', account, deps)] : []),
    ...(regionId === undefined ? [missingPlace('regionId', account, deps)] : []),
  ];
  // The schema refuses a value of another type.
  if (typeof projectId !== 'number' || typeof regionId !== 'number') return { faults: missing };
  return { projectId, regionId };
}

const VARIABLES = {
  projectId: 'GCORE_CLOUD_PROJECT_ID',
  regionId: 'GCORE_CLOUD_REGION_ID',
} as const;

function missingPlace(path: keyof typeof VARIABLES, account: string, deps: RulesDeps): Fault {
  const message =
    deps.accounts === undefined
      ? `is missing, and the worker has no default: give it, or set ${VARIABLES[path]}`
      : `is missing, and the account "${account}" has no default: give it, or write "${path}" into the account in the file that GCORE_ACCOUNTS_FILE names`;
  return { path, message };
}
