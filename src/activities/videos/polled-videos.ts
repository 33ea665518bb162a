import type { Video } from '../../contract/api/video.js';
import { toRanges } from '../../contract/number-ranges.js';
import { classifyVideoError } from './classify-video-error.js';
import { judgeVideo, type AwaitedState } from './judge-video.js';
import { shownVideoError } from './shown-video-error.js';

/** The ids of one call by outcome; ids that are done are in no list. */
export interface PolledVideos {
  pending: string;
  /** Ids that the API does not list. */
  missing: string;
  failed: { class: string; text: string; ids: string }[];
  warned: { text: string; ids: string }[];
}

interface Group {
  class: string;
  text: string;
  ids: number[];
}

export function toPolled(
  wanted: readonly number[],
  byId: ReadonlyMap<number, Video>,
  { awaited, isInline }: { awaited: AwaitedState; isInline: boolean },
): PolledVideos {
  const pending: number[] = [];
  const missing: number[] = [];
  const failed = new Map<string, Group>();
  const warned = new Map<string, Group>();
  const add = (groups: Map<string, Group>, said: string, id: number): void => {
    // The class comes from the whole text, of which only a part may be shown.
    const facts = { class: classifyVideoError(said), text: shownVideoError(said, { isInline }) };
    const key = JSON.stringify(facts);
    const group = groups.get(key) ?? { ...facts, ids: [] };
    group.ids.push(id);
    groups.set(key, group);
  };
  for (const id of wanted) {
    const video = byId.get(id);
    const verdict = video && judgeVideo(video, awaited);
    if (verdict === undefined) missing.push(id);
    else if (verdict.kind === 'pending') pending.push(id);
    else if (verdict.kind === 'failed') add(failed, verdict.text, id);
    else if (verdict.warning !== undefined) add(warned, verdict.warning, id);
  }
  return {
    pending: toRanges(pending),
    missing: toRanges(missing),
    failed: [...failed.values()].map((group) => ({ ...group, ids: toRanges(group.ids) })),
    warned: [...warned.values()].map(({ text, ids }) => ({ text, ids: toRanges(ids) })),
  };
}
