import { z } from 'zod';

import type { Fault } from '../../engine/core/failures.js';
import { ACCOUNT_NAME, DEFAULT_ACCOUNT } from '../../engine/core/names.js';
import type { AccountRules, PrepareDeps } from './prepare-deps.js';

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
