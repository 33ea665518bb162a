import { setTimeout as delay } from 'node:timers/promises';

import type { ListOperation } from '../../contract/uploads.js';
import {
  claimWorkflowId,
  indexWorkflowId,
  pieceWorkflowId,
  uploadUrl,
  type UploadName,
} from '../../contract/wire/uploads.js';
import { chunksOf } from '../../engine/core/chunks.js';
import { UploadLimitError, UploadUnsettledError } from '../errors.js';
import {
  isFresh,
  keptLists,
  keptUntil,
  maybeUnfinished,
  mostOfList,
  passedLimit,
  UNFINISHED_AFTER_MS,
  usageOf,
  type KeptList,
  type UploadLimits,
  type UploadUsage,
} from './kept-lists.js';
import { readList, type ReadList } from './read-list.js';
import type { ReadLarge } from '../intent.js';
import { removeList, type KeptRun, type ListedPart, type Shelf } from './shelf.js';

/** A list that the Temporal server keeps. */
export interface UploadedList {
  /** For the input of any number of runs of its account. The same list has the same one. */
  manifest: { url: string; sha256: string };
  lines: number;
  bytes: number;
  /** At least 15 days from now. */
  keptUntil: Date;
  /** With this list. */
  usage: UploadUsage;
}

export interface UploadRequest {
  operation: ListOperation;
  account: string;
  /** Who uploads: it counts as kept by this one. */
  by: string;
  /** JSON Lines in UTF-8. */
  chunks: AsyncIterable<Uint8Array>;
  /** Told how many bytes more are held in memory. May throw. */
  hold: (bytes: number) => void;
  /** Sends a piece when its turn comes. */
  sendLarge: ReadLarge;
}

export interface Uploading {
  shelf: Shelf;
  limits: UploadLimits;
}

/**
 * Reads a list to its end, then keeps it, unless it is kept already: then nothing is touched.
 * @throws InvalidInputError with the faults by line, UploadLimitError, UploadUnsettledError
 */
export async function uploadList(
  { shelf, limits }: Uploading,
  request: UploadRequest,
): Promise<UploadedList> {
  const { account, by } = request;
  const list = await readList({ ...request, mostBytes: mostOfList(limits) });
  const { sha256, lines, bytes } = list;
  const name = { account, sha256 };
  const whole = await findWhole(shelf, name, list.pieces.length);
  const { since, lists } =
    whole !== undefined && isFresh(whole.since, Date.now())
      ? { since: whole.since, lists: keptLists(await shelf.list()) }
      : await keepList({ shelf, limits, request, name, list, whole });
  return {
    manifest: { url: uploadUrl(name), sha256 },
    lines,
    bytes,
    keptUntil: new Date(keptUntil(since)),
    usage: usageOf(lists, limits, { by, account }),
  };
}

/** Calls at the same time. */
const AT_ONCE = 4;

/** The index of a list of which every part is there. Somebody may have removed some of them by hand. */
async function findWhole(
  shelf: Shelf,
  name: UploadName,
  pieces: number,
): Promise<KeptRun | undefined> {
  const index = await shelf.find(indexWorkflowId(name));
  if (index === undefined) return undefined;
  for (const ids of chunksOf([claimWorkflowId(name), ...pieceIds(name, pieces)], AT_ONCE)) {
    const found = await Promise.all(ids.map((id) => shelf.find(id)));
    if (found.includes(undefined)) return undefined;
  }
  return index;
}

function pieceIds(name: UploadName, pieces: number): string[] {
  return Array.from({ length: pieces }, (_, at) => pieceWorkflowId(name, at));
}

interface Keeping extends Uploading {
  request: UploadRequest;
  name: UploadName;
  list: ReadList;
  /** It is kept, but not for long any more: all of it is kept anew. */
  whole: KeptRun | undefined;
}

/** What is not whole in the end is withdrawn. */
async function keepList(keeping: Keeping): Promise<{ since: number; lists: KeptList[] }> {
  const { whole } = keeping;
  const isOurs = await claim(keeping);
  try {
    const lists = await untilCounted(keeping);
    if (whole === undefined) refuseAbove(keeping, lists);
    const { since } = await keepContent(keeping);
    return { since, lists };
  } catch (error) {
    // What does not succeed here, a later upload does: see `sweep`.
    if (isOurs && whole === undefined) await withdraw(keeping).catch(() => undefined);
    throw error;
  }
}

/** Another upload of the same list may have kept all of it meanwhile. */
async function withdraw({ shelf, name, list }: Keeping): Promise<void> {
  if ((await shelf.find(indexWorkflowId(name))) === undefined) await removeList(shelf, name, list);
}

/** Whether it is ours. Another upload of the same list that has not finished by now never will: then it is ours too. */
async function claim({ shelf, request, name, list }: Keeping): Promise<boolean> {
  const id = claimWorkflowId(name);
  const { operation, by } = request;
  const facts = { operation, by, lines: list.lines, bytes: list.bytes };
  const before = await shelf.find(id);
  const isOld = before !== undefined && Date.now() - before.since > UNFINISHED_AFTER_MS / 2;
  return shelf.keep(id, { facts }, isOld ? before : undefined);
}

const LISTED_WITHIN_MS = 20_000;
const FIRST_LOOK_MS = 100;
const LONGEST_LOOK_MS = 2_000;

/**
 * Waits until the server lists the claim, and gives all that it lists then. Of two claims at the same time the one that is
 * listed later sees the other, at whichever gateways they are: so all that pass together pass no limit.
 */
async function untilCounted({ shelf, name }: Keeping): Promise<KeptList[]> {
  const endsAt = Date.now() + LISTED_WITHIN_MS;
  for (let waitMs = FIRST_LOOK_MS; !(await shelf.isListed(claimWorkflowId(name))); waitMs *= 2) {
    if (Date.now() > endsAt) throw new UploadUnsettledError('unlisted');
    await delay(Math.min(waitMs, LONGEST_LOOK_MS));
  }
  return sweep(shelf, name, await shelf.list());
}

/** One upload clears away no more than this. */
const MOST_SWEPT = 10;

/** Removes what a gateway has left that died between two parts. Gives the others. */
async function sweep(
  shelf: Shelf,
  own: UploadName,
  parts: readonly ListedPart[],
): Promise<KeptList[]> {
  const lists = keptLists(parts);
  const swept = new Set<KeptList>();
  const others = lists.filter((list) => uploadUrl(list) !== uploadUrl(own));
  for (const list of maybeUnfinished(others, Date.now()).slice(0, MOST_SWEPT)) {
    const [claimed, index] = [
      await shelf.find(claimWorkflowId(list)),
      await shelf.find(indexWorkflowId(list)),
    ];
    const isWhole = claimed !== undefined && index !== undefined;
    const isRecent = claimed !== undefined && Date.now() - claimed.since < UNFINISHED_AFTER_MS;
    if (isWhole || isRecent) continue;
    await removeList(shelf, list, { bytes: list.operation && list.bytes });
    swept.add(list);
  }
  return lists.filter((list) => !swept.has(list));
}

function refuseAbove({ limits, request }: Keeping, lists: readonly KeptList[]): void {
  const usage = usageOf(lists, limits, request);
  const passed = passedLimit(usage);
  if (passed !== undefined) throw new UploadLimitError(passed, request.account, usage);
}

async function keepContent({ shelf, request, name, list, whole }: Keeping): Promise<KeptRun> {
  const endsAt = Date.now() + UNFINISHED_AFTER_MS / 3;
  const put = async (id: string, input: Uint8Array | { bytes: number }): Promise<void> => {
    if (Date.now() > endsAt) throw new UploadUnsettledError('slow');
    const replaced = whole && (await shelf.find(id));
    await request.sendLarge(() => shelf.keep(id, { input }, replaced));
  };
  const pieces = list.pieces.map((piece, at) => ({ piece, id: pieceWorkflowId(name, at) }));
  for (const some of chunksOf(pieces, AT_ONCE)) {
    await Promise.all(some.map(({ piece, id }) => put(id, piece)));
  }
  // The last: where there is an index, there are all pieces.
  await put(indexWorkflowId(name), { bytes: list.bytes });
  // Somebody may have deleted the list meanwhile, or another upload has withdrawn it.
  const kept = await findWhole(shelf, name, list.pieces.length);
  if (kept !== undefined) return kept;
  await removeList(shelf, name, list);
  throw new UploadUnsettledError('deleted');
}
