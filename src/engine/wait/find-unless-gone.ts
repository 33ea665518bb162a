import { plural } from '../core/text.js';
import type { Run } from '../run/run-types.js';
import { lookUntilGraceEnds } from './look-until.js';

/** What was there, or is named by its id. */
export interface Sought<T> {
  /** For the status: `instance 4f…`. */
  name: string;
  /** `undefined` when it does not show. */
  look(): Promise<T | undefined>;
  /** Evidence of another kind than the look: whether a list shows what is read by its id. `undefined`: nobody knows. */
  isListed?(): Promise<boolean | undefined>;
  /** The API says that it has deleted it, by a finished task or by its answer: that is evidence of another kind too. */
  isDeleted?: boolean;
}

/** `looked`: how often and for how long, for a note. */
export type FoundOrGone<T> = { kind: 'found'; seen: T } | { kind: 'gone'; looked: string };

/**
 * Finds it, or proves that it is gone. One answer without it proves nothing: two kinds of evidence do, or two looks further
 * apart than lists lag. What shows ends the search at once.
 */
export async function findUnlessGone<T>(run: Run, sought: Sought<T>): Promise<FoundOrGone<T>> {
  const since = Date.now();
  const search = createSearch(sought, since);
  const first = await search(sought.isDeleted === true);
  if (first !== undefined) return first;
  // Counts from the end of the first look: an outage may have made it long.
  const until = Date.now() + run.prepared.policy.reconcileGraceMs;
  const name = `${sought.name} to show, or to be gone for sure`;
  return lookUntilGraceEnds(run, { name, until }, search);
}

/** @returns one look: `undefined` while it proves nothing */
function createSearch<T>(sought: Sought<T>, since: number) {
  let looks = 0;
  return async (isLast: boolean): Promise<FoundOrGone<T> | undefined> => {
    looks += 1;
    const seen = await sought.look();
    if (seen !== undefined) return { kind: 'found', seen };
    if (!isLast && (await sought.isListed?.()) !== false) return undefined;
    const seconds = Math.round((Date.now() - since) / 1_000);
    return { kind: 'gone', looked: `looked ${plural(looks, 'time')} in ${seconds} s` };
  };
}
