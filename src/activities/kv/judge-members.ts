import type { KvMember, ShownValue } from '../../contract/api/fastedge.js';
import { bytesOf, type ExpectedMembers } from './expected-of.js';
import {
  differs,
  hashesOf,
  isShown,
  SAME,
  shownHash,
  unknown,
  type Judgement,
} from './judge-value.js';

/** What the pages of a set say about the members that are expected. */
export interface Members {
  note(shown: ShownValue): void;
  /** What is wrong whatever else the set shows. */
  wrong(): Judgement | undefined;
  /** Once all of the set is noted, or something is wrong. */
  judge(): Judgement;
}

export function createMembers({ present, absent }: ExpectedMembers): Members {
  const missing = new Map(present);
  const seen = { some: false, hidden: false, unscored: false };
  const idOf = createIds([...present, ...absent]);
  let wrong: Judgement | undefined;
  return {
    note(shown) {
      seen.some = true;
      if (!isShown(shown)) {
        seen.hidden = true;
        return;
      }
      const id = idOf(shown);
      if (id === undefined) return;
      if (absent.has(id)) wrong ??= differs('still has a member that the input removes');
      const wanted = missing.get(id)?.score;
      missing.delete(id);
      if (wanted === undefined || wanted === shown.score) return;
      if (typeof shown.score === 'number') wrong ??= differs('has a member with another score');
      else seen.unscored = true;
    },
    wrong: () => wrong,
    judge: () =>
      wrong ??
      judgeMissing([...missing.values()], present.size) ??
      judgeRemoved([...absent.values()], seen) ??
      (seen.unscored ? unknown('the API does not show the score of a member') : SAME),
  };
}

function judgeMissing(missing: readonly KvMember[], wanted: number): Judgement | undefined {
  if (missing.length === 0) return undefined;
  return missing.every(isMasked)
    ? unknown('the API never returns masked values')
    : differs(`lacks ${missing.length} of ${wanted} members`);
}

/** A member that the API does not show may be any of those that were taken out. */
function judgeRemoved(
  removed: readonly KvMember[],
  seen: { some: boolean; hidden: boolean },
): Judgement | undefined {
  if (removed.length === 0) return undefined;
  // A list may leave masked members out.
  const mayHide = seen.hidden || (seen.some && removed.some(isMasked));
  return mayHide
    ? unknown('a member that the input removes may be one that the API does not show')
    : undefined;
}

function isMasked({ encoding }: KvMember): boolean {
  return encoding === 'masked';
}

/** The id of what a set shows, by the hashes of the asked members where it shows one. */
function createIds(asked: readonly (readonly [string, KvMember])[]) {
  let idsByHash: Map<string, string> | undefined;
  return ({ value = '', encoding }: ShownValue): string | undefined => {
    if (encoding !== 'sha256') return bytesOf({ value, encoding }).toString('base64');
    idsByHash ??= new Map(
      asked.flatMap(([id, member]) => hashesOf(member).map((hash) => [hash, id] as const)),
    );
    return idsByHash.get(shownHash(value));
  };
}
