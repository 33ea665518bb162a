import type { Video } from '../../contract/api/streaming.js';
import { isSecretRef } from '../../contract/wire/secret-ref.js';
import type { MarkedItem } from './mark-items.js';
import { lettersOf, mayBeStoredAs } from '../../contract/wire/stored-form.js';

export interface Matched {
  found: { item: MarkedItem; id: number }[];
  missing: MarkedItem[];
  /**
   * Ids of videos of which nothing shows whose they are: some items that they may belong to have none, or there
   * are more videos than items. While there are any, a missing item may exist.
   */
  unclear: number[];
  /** Number of videos with a marker of ours that are not provably those of the items. */
  unproven: number;
}

/**
 * Finds the video of each item, one to one, among those with its marker. What carries a marker of ours is ours,
 * whatever the API has made of its name: the origin tells the videos apart, then the name as far as it goes, then
 * their order. The API may not repeat the origin as it was given (it may hide a password).
 *
 * A marker of the caller may be on videos of others too: there the origin has to be the same, and the name alike.
 */
export function matchVideos(items: readonly MarkedItem[], videos: readonly Video[]): Matched {
  const rows = groupBy(videos, ({ client_user_id: marker }) => marker ?? undefined);
  const groups = [...groupBy(items, ({ marker }) => marker)];
  const parts = groups.map(([marker, group]) => {
    const marked = [...(rows.get(marker) ?? [])].sort((a, b) => a.id - b.id);
    return group.every(({ isOurs }) => isOurs)
      ? matchOurs(group, marked)
      : matchCallers(group, marked);
  });
  return joined(items, parts);
}

/** The videos of a call of ours, by its answer: each of them is of one of the items, with or without a marker. */
export function matchAnswered(items: readonly MarkedItem[], answered: readonly Video[]): Matched {
  // A video that comes twice is one video.
  const videos = [...new Map(answered.map((video) => [video.id, video])).values()];
  const byMarker = matchVideos(items, videos);
  if (byMarker.missing.length === 0 || videos.length !== items.length) return byMarker;
  return joined(items, [matchOurs(items, videos)]);
}

/** Whether a video can be of one of these items at all: by its origin, or by its name. For a long list. */
export function mayConcern(items: readonly MarkedItem[]): (video: Video) => boolean {
  const origins = new Set<unknown>(items.map(originOf));
  const names = new Set(items.map(({ value }) => lettersOf(value.name)));
  return ({ origin_url: origin, name }) =>
    origins.has(origin ?? null) || names.has(lettersOf(name ?? ''));
}

interface Part {
  pairs: Pair[];
  unclear: Video[];
  /** Videos that no item is left for. */
  left: Video[];
}

interface Pair {
  item: MarkedItem;
  video: Video;
}

function joined(items: readonly MarkedItem[], parts: readonly Part[]): Matched {
  const pairs = parts.flatMap((part) => part.pairs);
  const found = pairs.map(({ item, video }) => ({ item, id: video.id }));
  const matched = new Set(found.map(({ item }) => item.line));
  const left = parts.flatMap((part) => part.left);
  return {
    found: found.sort((a, b) => a.item.line - b.item.line),
    missing: items.filter(({ line }) => !matched.has(line)),
    unclear: [...parts.flatMap(({ unclear }) => unclear), ...left].map(({ id }) => id),
    unproven: pairs.filter((pair) => !isProven(pair)).length + left.length,
  };
}

function isProven(pair: Pair): boolean {
  return isSameOrigin(pair) && isAlikePair(pair);
}

/** With a video for each item nothing is missing: then it matters little whose a video is. */
function matchOurs(items: readonly MarkedItem[], videos: readonly Video[]): Part {
  return videos.length < items.length
    ? matchSome(items, videos, plausibleItems(items))
    : { ...pairAll(items, videos), unclear: [] };
}

function matchCallers(items: readonly MarkedItem[], videos: readonly Video[]): Part {
  const rows = groupBy(videos, ({ origin_url: origin }) => origin ?? null);
  const parts = [...groupBy(items, originOf)].map(([origin, group]): Part => {
    const same = isSecretRef(origin) ? [] : (rows.get(origin) ?? []);
    const alike = same.filter((video) => group.some((item) => isAlike(item, video)));
    if (alike.length >= group.length) return { ...pairAll(group, alike), unclear: [] };
    return matchSome(group, alike, (video) => group.filter((item) => isAlike(item, video)));
  });
  const pairs = parts.flatMap((part) => part.pairs);
  const free = items.filter((item) => !pairs.some((pair) => pair.item === item));
  const isTaken = new Set(pairs.map(({ video }) => video));
  // Of others, or of an item whose origin or name the API shows in another form.
  const similar = videos.filter((video) => !isTaken.has(video) && mayConcern(free)(video));
  return { pairs, unclear: [...parts.flatMap(({ unclear }) => unclear), ...similar], left: [] };
}

/** Pairs each video that can be of one item only, or of several that are equal. Nobody knows whose the others are. */
function matchSome(
  items: readonly MarkedItem[],
  videos: readonly Video[],
  itemsOf: (video: Video) => readonly MarkedItem[],
): Part {
  const free = new Set(items);
  const open = new Map(videos.map((video) => [video, itemsOf(video)]));
  const pairs: Pair[] = [];
  for (let before = -1; before !== pairs.length;) {
    before = pairs.length;
    for (const [video, all] of open) {
      const [item, ...others] = all.filter((one) => free.has(one));
      if (item === undefined || !others.every((other) => areEqual(item, other))) continue;
      pairs.push({ item, video });
      free.delete(item);
      open.delete(video);
    }
  }
  const unclear = [...open.keys()];
  // They exist, so they belong into the report.
  const guessed = pairAll([...free], unclear);
  return { pairs: [...pairs, ...guessed.pairs], unclear, left: guessed.left };
}

/** Pairs as many as there are: by origin and name, then by one of them, then in order. */
function pairAll(
  items: readonly MarkedItem[],
  videos: readonly Video[],
): Pick<Part, 'pairs' | 'left'> {
  const rest = [...items];
  let left = [...videos];
  const pairs: Pair[] = [];
  for (const isPair of [isProven, isSameOrigin, hasSameName, isAlikePair, () => true]) {
    left = left.filter((video) => {
      const at = rest.findIndex((item) => isPair({ item, video }));
      const [item] = at === -1 ? [] : rest.splice(at, 1);
      if (item !== undefined) pairs.push({ item, video });
      return item === undefined;
    });
  }
  return { pairs, left };
}

/**
 * Which items a video of ours can be of: those with its origin, also where the API leaves out what may be a secret; all
 * when it shows another origin or none. Of these, those whose name it may have stored so, if there are any.
 */
function plausibleItems(items: readonly MarkedItem[]): (video: Video) => readonly MarkedItem[] {
  const exact = groupBy(items, originOf);
  const hiding = groupBy(items.filter(hidesSecrets), (item) => shownPart(originOf(item)));
  return (video) => {
    const { origin_url: origin = null } = video;
    const byOrigin =
      origin === null
        ? []
        : [...new Set([...(exact.get(origin) ?? []), ...(hiding.get(shownPart(origin)) ?? [])])];
    const candidates = byOrigin.length > 0 ? byOrigin : items;
    const alike = candidates.filter((item) => isAlike(item, video));
    return alike.length > 0 ? alike : candidates;
  };
}

function hidesSecrets(item: MarkedItem): boolean {
  const origin = originOf(item);
  return typeof origin === 'string' && shownPart(origin) !== origin;
}

/** The origin without what an API may hide: the user, the password, the query. */
function shownPart(origin: unknown): string | undefined {
  if (typeof origin !== 'string' || !URL.canParse(origin)) return undefined;
  const { protocol, host, pathname } = new URL(origin);
  return `${protocol}//${host}${pathname}`;
}

function areEqual(one: MarkedItem, other: MarkedItem): boolean {
  return JSON.stringify(one.value) === JSON.stringify(other.value);
}

function isSameOrigin({ item, video }: Pair): boolean {
  return originOf(item) === (video.origin_url ?? null);
}

function hasSameName({ item, video }: Pair): boolean {
  return item.value.name.trim() === (video.name ?? '').trim();
}

function isAlikePair({ item, video }: Pair): boolean {
  return isAlike(item, video);
}

function isAlike({ value }: MarkedItem, { name }: Video): boolean {
  return mayBeStoredAs(value.name, name ?? '');
}

function originOf({ value: { origin_url: origin } }: MarkedItem) {
  return origin ?? null;
}

function groupBy<T, K>(values: readonly T[], keyOfValue: (value: T) => K): Map<K, T[]> {
  const groups = new Map<K, T[]>();
  for (const value of values) {
    const key = keyOfValue(value);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [value]);
    else group.push(value);
  }
  return groups;
}
