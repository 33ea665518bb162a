import { FailureType } from '../core/failures.js';
import { failure } from '../run/failures.js';
import type { Run } from '../run/run-types.js';
import type { OneChange } from './one-change.js';

/** Knows in which status a resource was when its change was last known to be wanted. */
export interface StillWanted<T> {
  /** The same look, which tells of the status too. */
  watched(read: () => Promise<T>): () => Promise<T>;
  /** Call it before each call, with what was read last. Fails as `ResourceBusy`. */
  refuseChanged(state: T): void;
}

/**
 * A change that was blocked fires long after it was asked for. When somebody has brought the resource into another status
 * meanwhile, a person decides whether it is still wanted. Whatever has blocked the run: a call, a task, or a read between two
 * tries.
 */
export function createStillWanted<T extends object>(
  { controls }: Pick<Run, 'controls'>,
  { rests }: Pick<OneChange<T>, 'rests'>,
): StillWanted<T> {
  let before: string | undefined;
  /** The block that was there already when that was seen. */
  let knownBlock = 0;
  const isUndecided = (): boolean => controls.undecidedBlock() > knownBlock;
  const keep = (status: string | undefined): void => {
    if (status === undefined) return;
    before = status;
    knownBlock = controls.undecidedBlock();
  };
  return {
    watched: (read) => async () => {
      const state = await read();
      // A failed task of this very run may have changed it before the block.
      if (before === undefined || !isUndecided()) keep(rests?.(state));
      return state;
    },
    refuseChanged(state) {
      const now = rests?.(state);
      if (isUndecided() && before !== undefined && now !== undefined && now !== before) {
        throw changedWhileBlocked(before, now);
      }
      keep(now);
    },
  };
}

function changedWhileBlocked(before: string, now: string): Error {
  return failure(
    FailureType.resourceBusy,
    `While the run was blocked, the status changed from ${before} to ${now}.`,
    {
      advice:
        'Is the change still wanted? Given to this run alone, `resume` sends it, and `abort` ends the run.',
    },
  );
}
