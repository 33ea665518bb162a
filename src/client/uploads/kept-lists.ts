import type { ListOperation } from '../../contract/uploads.js';
import {
  KEPT_DAYS,
  MAX_UPLOAD_BYTES,
  uploadUrl,
  type UploadName,
} from '../../contract/wire/uploads.js';
import type { ListedPart } from './shelf.js';

const DAY_MS = 86_400_000;

/** What is kept at most. A list counts with its own bytes, not with those that it has when it is compressed. */
export interface UploadLimits {
  /** Of one list; more than 64 MiB none may have. */
  listBytes: number;
  /** Of one caller, as runs name it. */
  callerBytes: number;
  accountBytes: number;
  /** Lists of one account: each costs the server some rows. */
  accountLists: number;
}

export const UPLOAD_LIMITS: UploadLimits = {
  listBytes: MAX_UPLOAD_BYTES,
  callerBytes: 256 * 1024 ** 2,
  accountBytes: 1024 ** 3,
  accountLists: 500,
};

/** One list that is kept, or was about to be. */
export interface KeptList extends UploadName {
  /** Missing where the claim cannot be read, and where there is none. */
  operation?: ListOperation;
  lines?: number;
  by?: string;
  bytes: number;
  /** Milliseconds since 1970. */
  since: number;
  hasClaim: boolean;
  hasIndex: boolean;
}

/** The lists that these parts are of. What nobody can read counts as the longest of all. */
export function keptLists(parts: readonly ListedPart[]): KeptList[] {
  const lists = new Map<string, KeptList>();
  for (const { name, isClaim, facts, since } of parts) {
    const url = uploadUrl(name);
    const before = lists.get(url) ?? {
      ...{ ...name, bytes: MAX_UPLOAD_BYTES, since },
      ...{ hasClaim: false, hasIndex: false },
    };
    lists.set(url, {
      ...before,
      ...facts,
      // The pieces are no older than the claim, and the index no older than they are.
      since: isClaim ? since : before.since,
      hasClaim: before.hasClaim || isClaim,
      hasIndex: before.hasIndex || !isClaim,
    });
  }
  return [...lists.values()];
}

export interface Usage {
  bytes: number;
  mostBytes: number;
}

/** What is kept already, and how much may be. */
export interface UploadUsage {
  /** Of the caller, in all accounts. */
  caller: Usage;
  account: Usage & { lists: number; mostLists: number };
  /** Of each list. */
  list: { mostBytes: number };
}

export function usageOf(
  lists: readonly KeptList[],
  limits: UploadLimits,
  { by, account }: { by: string; account: string },
): UploadUsage {
  const ofAccount = lists.filter((list) => list.account === account);
  return {
    caller: {
      bytes: sumOf(lists.filter((list) => list.by === by)),
      mostBytes: limits.callerBytes,
    },
    account: {
      bytes: sumOf(ofAccount),
      mostBytes: limits.accountBytes,
      lists: ofAccount.length,
      mostLists: limits.accountLists,
    },
    list: { mostBytes: mostOfList(limits) },
  };
}

/** No worker reads a longer one than those that have always been taken. */
export function mostOfList({ listBytes }: UploadLimits): number {
  return Math.min(listBytes, MAX_UPLOAD_BYTES);
}

function sumOf(lists: readonly KeptList[]): number {
  return lists.reduce((sum, { bytes }) => sum + bytes, 0);
}

/** Which limit is passed; the new list is among those that are kept. */
export function passedLimit({ caller, account }: UploadUsage): 'caller' | 'account' | undefined {
  if (caller.bytes > caller.mostBytes) return 'caller';
  const isPassed = account.bytes > account.mostBytes || account.lists > account.mostLists;
  return isPassed ? 'account' : undefined;
}

/** Longer than the pieces of any list take: then nobody is about to keep the rest. */
export const UNFINISHED_AFTER_MS = 15 * 60_000;

/** A gateway has died between two parts, or the lists of the server are behind: somebody looks at each. */
export function maybeUnfinished(lists: readonly KeptList[], now: number): KeptList[] {
  return lists.filter(
    ({ hasClaim, hasIndex, since }) => !(hasClaim && hasIndex) && now - since > UNFINISHED_AFTER_MS,
  );
}

export function keptUntil(since: number): number {
  return since + KEPT_DAYS * DAY_MS;
}

/** A run that begins now has half of the time. */
export function isFresh(since: number, now: number): boolean {
  return keptUntil(since) - now > (KEPT_DAYS / 2) * DAY_MS;
}
