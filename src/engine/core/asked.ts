/**
 * What people and programs ask of a run, and how its memo says who started it.
 */
import { toIdentity } from './identity.js';

/** What can be asked of a run. */
export const AskedFor = {
  start: 'start',
  /** A start of a run that has ended without success before. */
  retry: 'retry',
  pause: 'pause',
  resume: 'resume',
  abort: 'abort',
  cancel: 'cancel',
  extend: 'extend',
  restore: 'restore',
} as const;
export type AskedFor = (typeof AskedFor)[keyof typeof AskedFor];

/** Name of the memo that says who started a run. */
export const STARTED_BY_MEMO = 'startedBy';

export interface StartedBy {
  by: string;
  as: 'start' | 'retry';
}

/** Who started a run; `undefined` when its memo does not say. */
export function startedByOf(
  memo: Readonly<Record<string, unknown>> | undefined,
): StartedBy | undefined {
  const told = memo?.[STARTED_BY_MEMO];
  if (!(told instanceof Object) || !('by' in told)) return undefined;
  const isRetry = 'as' in told && told.as === AskedFor.retry;
  return { by: toIdentity(told.by), as: isRetry ? AskedFor.retry : AskedFor.start };
}
