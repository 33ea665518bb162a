import type { Run } from '../run/run-types.js';
import { createPause } from './wait-for-tasks.js';

interface Grace {
  /** What is looked for, for the status. */
  name: string;
  /** When the grace time is over, in milliseconds since the epoch. */
  until: number;
  /** What the last look has seen, for the status. */
  state?: () => string | undefined;
}

/**
 * Looks again and again until a look settles it: lists lag behind what has been made, so nothing
 * counts as absent before the grace time is over. `isLate` tells a look that it began after that:
 * only such a look may take "nothing" as a proof. A look that is not sure yet returns `undefined`,
 * also after the grace.
 */
export async function lookUntilGraceEnds<T>(
  run: Run,
  { name, until, state }: Grace,
  look: (isLate: boolean) => Promise<T | undefined>,
): Promise<T> {
  const pause = createPause(run, { name, type: 'list of the API', until });
  for (;;) {
    const settled = await look(Date.now() >= until);
    if (settled !== undefined) {
      run.ledger.setWaiting(undefined);
      return settled;
    }
    await pause(state?.());
  }
}

/**
 * When nothing that these tasks made can be absent from lists any more. A task that failed, or that
 * the API has forgotten, does not say what it made; of all others it is known now.
 */
export function sureAfter({ tasks, prepared }: Run, taskIds: readonly string[]): number {
  const vague = taskIds
    .flatMap((id) => tasks.get(id) ?? [])
    .filter(({ outcome }) => outcome !== undefined && outcome.state !== 'FINISHED');
  return Math.max(...vague.map(({ since }) => since)) + prepared.policy.reconcileGraceMs;
}
