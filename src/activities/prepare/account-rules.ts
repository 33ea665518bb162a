import { z } from 'zod';

import type { AccountRules, PrepareDeps } from './prepare-deps.js';
import type { Place } from '../../contract/wire/names.js';
import type { Fault } from '../../engine/core/failures.js';
import { ACCOUNT_NAME, DEFAULT_ACCOUNT } from '../../engine/core/names.js';

const accountSchema = z
  .object({ account: z.string().regex(ACCOUNT_NAME) })
  .transform(({ account }) => account)
  .catch(DEFAULT_ACCOUNT);

/** The account of an input, also of one with faults. */
export function accountIn(input: unknown): string {
  return accountSchema.parse(input);
}

export type RulesDeps = Pick<PrepareDeps, 'defaults' | 'accounts'>;

/** What holds for the inputs of an account. For one that the worker does not know, nothing holds. */
export function rulesOf(account: string, { defaults, accounts }: RulesDeps): AccountRules {
  if (accounts === undefined) return defaults;
  return Object.hasOwn(accounts, account) ? (accounts[account] ?? {}) : {};
}

const projectSchema = z
  .object({ projectId: z.number() })
  .transform(({ projectId }) => projectId)
  .optional()
  .catch(undefined);

/** Refuses a project that the account must not touch. */
export function projectFaults(input: unknown, deps: RulesDeps): Fault[] {
  const account = accountIn(input);
  const { projects } = rulesOf(account, deps);
  const given = projectSchema.parse(input);
  if (projects === undefined || given === undefined || projects.includes(given)) return [];
  const message = `the account "${account}" is for ${projects.join(', ')} only: name one of these, or another account`;
  return [{ path: 'projectId', message }];
}

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
