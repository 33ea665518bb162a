import type { Run } from '../run/run-types.js';

/**
 * When the lists of the API show everything that these tasks made, in milliseconds since the epoch. A
 * finished task says what it made, so there is nothing to wait for. A task that failed, or that the API
 * has forgotten, does not say it.
 */
export function listsSettledAt({ tasks, prepared }: Run, taskIds: readonly string[]): number {
  const silent = taskIds
    .flatMap((id) => tasks.get(id) ?? [])
    .filter(({ outcome }) => outcome !== undefined && outcome.state !== 'FINISHED');
  return Math.max(...silent.map(({ since }) => since)) + prepared.policy.reconcileGraceMs;
}
