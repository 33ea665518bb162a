import type { SentCall } from '../../engine/send/one-change.js';

/** What is looked for by its name. `similar`: a store may have made it of what was asked for. */
export interface Named {
  id: number;
  fit: 'as asked' | 'similar' | 'other';
}

/** Finds what was asked for in what a look has found, given the last call. */
export type Wanted<F, T> = (found: F, sent: SentCall<F> | undefined) => T | undefined;

/**
 * What a call has made, or what is as asked already.
 *
 * @param isClear whether what is as asked may be taken: several may have the name
 */
export function createWanted<F, T extends Named>(
  thingsIn: (found: F) => readonly T[],
  isClear: (found: F) => boolean = () => true,
): Wanted<F, T> {
  return (found, sent) => {
    const things = thingsIn(found);
    const made = madeByCall(things, sent && { ...sent, before: thingsIn(sent.before) });
    if (made !== undefined && made.fit !== 'other') return made;
    return isClear(found) ? things.find(({ fit }) => fit === 'as asked') : undefined;
  };
}

/**
 * What a call has made of what has its name: that with the id of its answer, whatever name it has now. Where the answer was
 * lost, the one that may be it and was not there before.
 */
export function madeByCall<T extends Named>(
  seen: readonly T[],
  sent: SentCall<readonly T[]> | undefined,
): T | undefined {
  if (sent === undefined) return undefined;
  const { before, madeId } = sent;
  if (madeId !== undefined) return seen.find(({ id }) => id === madeId);
  const isNew = ({ id }: T): boolean => !before.some((other) => other.id === id);
  const [made, ...others] = seen.filter((thing) => thing.fit !== 'other' && isNew(thing));
  return others.length === 0 ? made : undefined;
}

/** Looks by the name, and where that does not show what the call has made, by its id. */
export async function findMade<T>(
  find: (id?: number) => Promise<T>,
  idsIn: (found: T) => readonly Named[],
  madeId: number | undefined,
): Promise<T> {
  const found = await find();
  const isThere = madeId === undefined || idsIn(found).some(({ id }) => id === madeId);
  return isThere ? found : find(madeId);
}

/** Whether a stored name is the asked one in another form, such as lower case. It may be that of an earlier run. */
export function isOtherForm(asked: string, stored: string): boolean {
  const plain = (name: string) =>
    name.normalize('NFKC').replaceAll(/\s+/gu, ' ').trim().toLowerCase();
  return asked !== stored && plain(asked) === plain(stored);
}
