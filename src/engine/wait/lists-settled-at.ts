import type { Run, WaitedFor } from '../run/run-types.js';

/**
 * When the lists of the API show everything that these tasks made, in milliseconds since the epoch. A
 * finished task says what it made, so there is nothing to wait for. A task that failed, or that the API
 * has forgotten, does not say it.
 */
export function listsSettledAt({ tasks, prepared }: Run, taskIds: readonly string[]): number {
  const silent = taskIds
    .flatMap((id) => tasks.get(id) ?? [])
    .filter(({ outcome }) => outcome !== undefined && outcome.state !== 'FINISHED');
  const ends = silent.map((task) => lastWriteOf(task));
  return Math.max(...ends) + prepared.policy.reconcileGraceMs;
}

/** A task may make something until its end. */
export function lastWriteOf({ since, endSeenAt = since }: WaitedFor): number {
  return endSeenAt;
}
