import { FailureType } from '../core/failures.js';
import { parkWhileBlocked } from '../run/park-while-blocked.js';
import { failure } from '../run/failures.js';
import type { Run } from '../run/run-types.js';

/** What the API shows under the marker of this request. */
export type Verdict<T> =
  | { kind: 'absent' }
  /** `taskIds`: the tasks that make it or have made it. */
  | { kind: 'present'; resource: T; taskIds: string[] }
  /**
   * A broken rest of an earlier try. `taskIds`: the tasks that made it, if lists may lag. `madeBy`: for each part the task that
   * it names, where the API has tasks. `isForeign`: none of it is of this run, where a tag proves it.
   */
  | {
      kind: 'leftover';
      note: string;
      taskIds: string[];
      madeBy?: readonly (string | undefined)[];
      isForeign?: boolean;
    }
  /**
   * Evidence that no rule resolves, such as two resources with the same marker. `isPartial`: it may be that the
   * list does not show all yet.
   */
  | { kind: 'contradiction'; note: string; advice?: string; isPartial?: true };

/** The very task of the lost call, by the tags of the run: as good as its answer. */
export interface FoundTask {
  kind: 'task';
  taskIds: string[];
  resource?: undefined;
}

/** What became of a call of this run. */
export type Settled<T> = Verdict<T> | FoundTask;

/** Lists may lag behind the list of tasks: only the end of a task says what it made. */
export function knownTasks<T>(verdict: Settled<T>): string[] {
  if (verdict.kind === 'absent' || verdict.kind === 'contradiction') return [];
  return verdict.taskIds;
}

/**
 * Looks, and blocks the run while the evidence contradicts itself. It looks again from time to time
 * and returns what it then sees.
 */
export function blockOnContradiction<T>(
  run: Run,
  look: () => Promise<Verdict<T>>,
): Promise<Resolved<Verdict<T>>>;
export function blockOnContradiction<T>(
  run: Run,
  look: () => Promise<Settled<T>>,
): Promise<Resolved<Settled<T>>>;
export function blockOnContradiction<T>(
  run: Run,
  look: () => Promise<Settled<T>>,
): Promise<Resolved<Settled<T>>> {
  return parkWhileBlocked(run, async () => {
    const verdict = await look();
    if (verdict.kind !== 'contradiction') return verdict;
    const { advice = 'Look at what exists, and remove what should not be there.' } = verdict;
    throw failure(FailureType.outcomeUnknown, verdict.note, { advice });
  });
}

type Resolved<V> = Exclude<V, { kind: 'contradiction' }>;
