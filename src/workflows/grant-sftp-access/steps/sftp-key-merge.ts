import { without } from '../../../engine/core/lists.js';
import { isSameValue } from '../../../engine/core/values.js';

/** Adds keys to a list that the API only replaces as a whole and that others change too. */
export interface KeyMerge {
  /**
   * The keys that are missing in a list that was just read: wanted keys, and keys of others that a late
   * call of this run has removed. `send` is the whole list to send. `undefined` when none is missing.
   */
  judge(current: readonly number[]): { send: number[]; missing: number[] } | undefined;
  /** Call it when the list is sent, even if the outcome is unknown. */
  sent(list: readonly number[]): void;
  /** Keys of others that this run has restored. */
  restored(): number[];
}

/**
 * Removes no key and restores no key that somebody else removed, with one exception. A call whose answer
 * was lost may be carried out late, after others have added keys. When the list is then exactly the one
 * that this run sent, this run has removed those keys, so it restores them.
 */
export function createKeyMerge(wanted: readonly number[]): KeyMerge {
  let last: readonly number[] | undefined;
  /** Keys of others that were seen since the last call and were not in it. */
  const seen = new Set<number>();
  const restored = new Set<number>();
  return {
    judge(current) {
      const lost = last !== undefined && isSameValue(current, last) ? [...seen] : [];
      if (last !== undefined) {
        for (const id of without(current, last)) seen.add(id);
      }
      for (const id of lost) restored.add(id);
      const missing = without([...wanted, ...lost], current);
      return missing.length === 0 ? undefined : { send: [...current, ...missing], missing };
    },
    sent(list) {
      last = [...list];
      seen.clear();
    },
    restored: () => [...restored],
  };
}
