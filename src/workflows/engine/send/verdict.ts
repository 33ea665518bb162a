import { FailureType } from '../../../contract/failures.js';
import { parkWhileBlocked } from '../run/park-while-blocked.js';
import { failure } from '../run/failures.js';
import type { Run } from '../run/run-types.js';

/** What the API shows under this request's marker. */
export type Verdict<T> =
  | { kind: 'absent' }
  /** `taskIds`: the tasks that are still making it, or made it. */
  | { kind: 'present'; resource: T; taskIds: string[] }
  /** A broken leftover of an earlier try. `taskIds`: what made it, where lists may not show it yet. */
  | { kind: 'leftover'; note: string; taskIds: string[] }
  /** Evidence that no rule resolves, such as two resources with one marker. */
  | { kind: 'contradiction'; note: string };

/**
 * Contradicting evidence blocks the run right here: it looks again from time to time, and goes on
 * from what it then sees. Nothing is sent on the strength of a contradiction that went away.
 */
export function blockOnContradiction<T>(
  run: Run,
  look: () => Promise<Verdict<T>>,
): Promise<Resolved<T>> {
  return parkWhileBlocked(run, async () => {
    const verdict = await look();
    if (verdict.kind !== 'contradiction') return verdict;
    throw failure(FailureType.outcomeUnknown, verdict.note, {
      advice: 'Look at what exists, and remove what should not be there.',
    });
  });
}

type Resolved<T> = Exclude<Verdict<T>, { kind: 'contradiction' }>;
