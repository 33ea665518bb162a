import type { PreparedImportVideos } from '../../../contract/wire/prepared.js';
import type { VideoDetails } from '../../../contract/video-details.js';
import { CHANGING_FIELDS, type VideoField } from '../../../contract/wire/videos.js';
import { fromRanges } from '../../../engine/core/number-ranges.js';
import { jsonByteLength } from '../../../engine/core/text.js';
import { toSortedRanges } from '../../shared/line-groups.js';

/**
 * What the API said of the videos: of the first ones that were made in any case, and of as many others as there is room
 * for. What a history hands over stays bounded, however long the texts of the API are.
 */
export interface KeptDetails {
  /** These videos exist, in the order in which they are made, and the answer said this. */
  made(ids: Iterable<number>, said: Said): void;
  /** Said of videos that are done or have failed. */
  ended(said: Said): void;
  /** Of how many new videos it makes sense to ask. */
  left(): number;
  /** Of which of these videos it makes sense to ask. */
  keptOf(ids: string): string;
  /** The first videos, then others. */
  list(): VideoDetails[];
}

type Said = readonly VideoDetails[] | undefined;

/** Room for details. */
export interface DetailsRoom {
  /** Number of videos that always have room. */
  first: number;
  /** For all others together, in bytes. */
  bytes: number;
  /** The most that one video takes, in bytes. */
  each: number;
}

/** What is known of videos from their beginning must not take the room of what is known of them at their end. */
const SHARE_WHEN_MADE = 0.25;

/** @param isAwaited false: a video has ended when it is made. */
export function createKeptDetails(room: DetailsRoom, isAwaited: boolean): KeptDetails {
  const first = new Map<number, VideoDetails | undefined>();
  const early = createShelf(isAwaited ? room.bytes * SHARE_WHEN_MADE : 0);
  const late = createShelf(room.bytes - early.most);
  const add = (one: VideoDetails, shelf: Shelf): void => {
    if (first.has(one.id)) {
      first.set(one.id, { ...first.get(one.id), ...one });
      return;
    }
    const before = late.kept.get(one.id) ?? early.kept.get(one.id);
    if (shelf.put({ ...before, ...one }) && shelf === late) early.drop(one.id);
  };
  const whenMade = isAwaited ? early : late;
  return {
    made(ids, said = []) {
      for (const id of ids) {
        if (first.size >= room.first) break;
        first.set(id, first.get(id));
      }
      for (const one of said) add(one, whenMade);
    },
    ended(said = []) {
      for (const one of said) add(one, late);
    },
    left: () => (whenMade.hasRoom(room.each) ? Infinity : room.first - first.size),
    keptOf: (ids) =>
      late.hasRoom(room.each)
        ? ids
        : toSortedRanges([...fromRanges(ids)].filter((id) => first.has(id) || late.kept.has(id))),
    list: () => [
      ...[...first.values()].filter((one) => one !== undefined),
      ...late.kept.values(),
      ...early.kept.values(),
    ],
  };
}

type Shelf = ReturnType<typeof createShelf>;

/** Details of at most so many bytes. */
function createShelf(most: number) {
  const kept = new Map<number, VideoDetails>();
  let bytes = 0;
  const drop = (id: number): void => {
    const one = kept.get(id);
    if (one !== undefined) bytes -= sizeOf(one);
    kept.delete(id);
  };
  return {
    most,
    kept: kept satisfies ReadonlyMap<number, VideoDetails>,
    drop,
    hasRoom: (size: number): boolean => bytes + size <= most,
    /** False when there is no room. */
    put(one: VideoDetails): boolean {
      const before = kept.get(one.id);
      const grown = bytes + sizeOf(one) - (before === undefined ? 0 : sizeOf(before));
      if (grown > most) return false;
      bytes = grown;
      kept.set(one.id, one);
      return true;
    },
  };
}

function sizeOf(details: VideoDetails): number {
  return jsonByteLength(details) + 1;
}

/** The fields to keep of the answer that makes a video. */
export function fieldsWhenMade({
  fields = [],
  waitFor,
}: Pick<PreparedImportVideos, 'fields' | 'waitFor'>): VideoField[] {
  return fields.filter((field) => waitFor === 'created' || !CHANGING_FIELDS.has(field));
}
