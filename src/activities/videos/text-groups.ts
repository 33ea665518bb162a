import { toRanges } from '../../engine/core/number-ranges.js';

/** What the API says about a video. */
export interface VideoText {
  class: string;
  text: string;
}

/** Ids of videos by what the API says about them. */
export interface TextGroups {
  add(said: VideoText, id: number): void;
  groups(): (VideoText & { ids: string })[];
}

/** Further texts become one for each class: the result has to fit into a history. */
const MAX_TEXTS = 50;
const OTHER_TEXTS = 'another reason';

export function createTextGroups(): TextGroups {
  const groups = new Map<string, VideoText & { ids: number[] }>();
  const idsOf = (said: VideoText): number[] => {
    const key = JSON.stringify([said.class, said.text]);
    const known = groups.get(key);
    if (known !== undefined) return known.ids;
    if (groups.size >= MAX_TEXTS && said.text !== OTHER_TEXTS) {
      return idsOf({ class: said.class, text: OTHER_TEXTS });
    }
    const ids: number[] = [];
    groups.set(key, { ...said, ids });
    return ids;
  };
  return {
    add(said, id) {
      idsOf(said).push(id);
    },
    groups: () => [...groups.values()].map(({ ids, ...said }) => ({ ...said, ids: toRanges(ids) })),
  };
}
