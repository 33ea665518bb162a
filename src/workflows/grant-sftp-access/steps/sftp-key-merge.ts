/** Adds keys to a list of which the API only takes the whole, and which others change too. */
export interface KeyMerge {
  /**
   * What a list that was just read lacks: wanted keys, and keys of others that a late call of this
   * run has removed. `send` is the whole list to be sent; `undefined` when nothing lacks.
   */
  judge(current: readonly number[]): { send: number[]; missing: number[] } | undefined;
  /** The list was sent; whether it was carried out may not be known yet. */
  sent(list: readonly number[]): void;
  /** Keys of others that this run has put back. */
  restored(): number[];
}

/**
 * Takes no key away and brings none back that somebody else removed, with one exception. A call whose
 * answer was lost may be carried out late, when others have changed the list: what was then seen in it
 * is gone in a list that is exactly the one that was sent. That was this run's doing, so it is undone.
 */
export function createKeyMerge(wanted: readonly number[]): KeyMerge {
  let last: readonly number[] | undefined;
  /** Keys of others that were seen since the last call and were not part of it. */
  const seen = new Set<number>();
  const restored = new Set<number>();
  return {
    judge(current) {
      const lost = last !== undefined && isSame(current, last) ? [...seen] : [];
      if (last !== undefined) {
        const sent = last;
        current.filter((id) => !sent.includes(id)).forEach((id) => seen.add(id));
      }
      for (const id of lost) restored.add(id);
      const missing = [...wanted, ...lost].filter((id) => !current.includes(id));
      return missing.length === 0 ? undefined : { send: [...current, ...missing], missing };
    },
    sent(list) {
      last = [...list];
      seen.clear();
    },
    restored: () => [...restored],
  };
}

function isSame(a: readonly number[], b: readonly number[]): boolean {
  return a.length === b.length && a.every((id) => b.includes(id));
}
