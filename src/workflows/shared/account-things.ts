import { orUndefinedIfGone } from '../../engine/run/failures.js';
import type { AccountRemoveStep, AskedOfAccount } from '../gcore.js';

/**
 * How a step finds the thing of an account whose id the input gives, and finds it again.
 *
 * @param read fails as `NotFound` when it does not exist
 * @param isListed whether the list has it
 */
export function foundById<I, T extends object>(
  read: (asked: AskedOfAccount<I>) => Promise<T>,
  isListed: (asked: AskedOfAccount<I>) => Promise<boolean>,
): Pick<AccountRemoveStep<I, T>, 'find' | 'again' | 'isListed'> {
  const again = (_seen: unknown, asked: AskedOfAccount<I>) => orUndefinedIfGone(read(asked));
  return {
    async find(asked) {
      const resource = await again(undefined, asked);
      return resource === undefined
        ? { kind: 'absent' }
        : { kind: 'present', resource, taskIds: [] };
    },
    again,
    isListed,
  };
}

/**
 * Reads again what an answer does not show: it must not count as asked, or as empty, because one answer lacks it.
 */
export async function readTold<T>(
  read: () => Promise<T>,
  isTold: (seen: T) => boolean,
): Promise<T> {
  const first = await read();
  return isTold(first) ? first : read();
}

/** What a change that has succeeded shows: its step compared it. */
export function shown<T>(thing: T | undefined): T {
  if (thing === undefined) throw new TypeError('a change that succeeds shows what it was for');
  return thing;
}
