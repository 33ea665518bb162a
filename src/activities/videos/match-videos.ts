import type { Video } from '../../contract/api/video.js';
import { keyOf, type MarkedItem } from './mark-items.js';

export interface Matched {
  found: { item: MarkedItem; id: number }[];
  missing: MarkedItem[];
  /**
   * Several items look alike but differ, and only some of them have a video: nobody can tell which.
   */
  isAmbiguous: boolean;
  /** Number of videos with a marker of ours that are not provably those of the items: the origin differs. */
  unproven: number;
}

/**
 * Finds the video of each item by marker, name and origin. The API may not repeat the origin as it was
 * given (it may hide a password): then our marker and the name decide.
 */
export function matchVideos(items: readonly MarkedItem[], videos: readonly Video[]): Matched {
  const exact = pair(items, videos, { ofItem: exactKey, ofVideo: exactKeyOfVideo });
  const rest = exact.rest.filter(({ isOurs }) => isOurs);
  const byName = pair(rest, exact.left, { ofItem: nameKey, ofVideo: nameKeyOfVideo });
  const found = [...exact.found, ...byName.found].sort((a, b) => a.item.line - b.item.line);
  const matched = new Set(found.map(({ item }) => item.line));
  return {
    found,
    missing: items.filter(({ line }) => !matched.has(line)),
    isAmbiguous: exact.isAmbiguous || byName.isAmbiguous,
    unproven: byName.found.length + byName.left.length,
  };
}

interface Keys {
  ofItem: (item: MarkedItem) => string;
  ofVideo: (video: Video) => string;
}

interface Paired {
  found: Matched['found'];
  rest: MarkedItem[];
  left: Video[];
  isAmbiguous: boolean;
}

function pair(items: readonly MarkedItem[], videos: readonly Video[], keys: Keys): Paired {
  const free = groupBy(videos, keys.ofVideo);
  for (const group of free.values()) group.sort((a, b) => a.id - b.id);
  const paired: Paired = { found: [], rest: [], left: [], isAmbiguous: false };
  for (const [key, group] of groupBy(items, keys.ofItem)) {
    const candidates = free.get(key) ?? [];
    const taken = candidates.splice(0, group.length);
    paired.isAmbiguous ||= taken.length > 0 && taken.length < group.length && !areEqual(group);
    for (const [at, item] of group.entries()) {
      const video = taken[at];
      if (video === undefined) paired.rest.push(item);
      else paired.found.push({ item, id: video.id });
    }
  }
  paired.left = [...free.values()].flat();
  return paired;
}

function groupBy<T>(values: readonly T[], keyOfValue: (value: T) => string): Map<string, T[]> {
  const groups = new Map<string, T[]>();
  for (const value of values) {
    const key = keyOfValue(value);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [value]);
    else group.push(value);
  }
  return groups;
}

function areEqual([first, ...others]: readonly MarkedItem[]): boolean {
  const text = JSON.stringify(first?.value);
  return others.every(({ value }) => JSON.stringify(value) === text);
}

function exactKey({ marker, value }: MarkedItem): string {
  return `${marker} ${keyOf(value)}`;
}

function exactKeyOfVideo({ client_user_id: marker, name, origin_url }: Video): string {
  return `${marker ?? ''} ${keyOf({ name: name ?? '', origin_url })}`;
}

function nameKey({ marker, value }: MarkedItem): string {
  return `${marker} ${value.name.trim()}`;
}

function nameKeyOfVideo({ client_user_id: marker, name }: Video): string {
  return `${marker ?? ''} ${(name ?? '').trim()}`;
}
