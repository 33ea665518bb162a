import type { Run } from '../run/run-types.js';

/**
 * When all that these tasks made is in the lists of the API, in milliseconds since the epoch. A task
 * that failed, or that the API has forgotten, does not say what it made; of all others it is known
 * now.
 */
export function listsSettledAt({ tasks, prepared }: Run, taskIds: readonly string[]): number {
  const vague = taskIds
    .flatMap((id) => tasks.get(id) ?? [])
    .filter(({ outcome }) => outcome !== undefined && outcome.state !== 'FINISHED');
  return Math.max(...vague.map(({ since }) => since)) + prepared.policy.reconcileGraceMs;
}
