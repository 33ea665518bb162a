import { FailureType } from '../../../contract/failures.js';
import { parkWhileBlocked } from '../run/park-while-blocked.js';
import { failure } from '../run/failures.js';
import type { Run } from '../run/run-types.js';

/** What the API shows under the marker of this request. */
export type Verdict<T> =
  | { kind: 'absent' }
  /** `taskIds`: the tasks that make it or have made it. */
  | { kind: 'present'; resource: T; taskIds: string[] }
  /**
   * A broken rest of an earlier try. `taskIds`: the tasks that made it, if lists may lag. `isForeign`:
   * none of it is of this run, where a tag proves it.
   */
  | { kind: 'leftover'; note: string; taskIds: string[]; isForeign?: boolean }
  /** Evidence that no rule resolves, such as two resources with the same marker. */
  | { kind: 'contradiction'; note: string; advice?: string };

/**
 * Looks, and blocks the run while the evidence contradicts itself. It looks again from time to time
 * and returns what it then sees.
 */
export function blockOnContradiction<T>(
  run: Run,
  look: () => Promise<Verdict<T>>,
): Promise<ResolvedVerdict<T>> {
  return parkWhileBlocked(run, async () => {
    const verdict = await look();
    if (verdict.kind !== 'contradiction') return verdict;
    const { advice = 'Look at what exists, and remove what should not be there.' } = verdict;
    throw failure(FailureType.outcomeUnknown, verdict.note, { advice });
  });
}

type ResolvedVerdict<T> = Exclude<Verdict<T>, { kind: 'contradiction' }>;
