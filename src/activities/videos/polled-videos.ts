import type { Video } from '../../contract/api/video.js';
import { toRanges } from '../../engine/core/number-ranges.js';
import { classifyVideoError } from './classify-video-error.js';
import { judgeVideo, type AwaitedState } from './judge-video.js';
import { shownVideoError } from './shown-video-error.js';
import { createTextGroups, type VideoText } from './text-groups.js';

/** The ids of one call by outcome; ids that are done are in no list. */
export interface PolledVideos {
  pending: string;
  /** Ids that the API does not list. */
  missing: string;
  failed: { class: string; text: string; ids: string }[];
  warned: { text: string; ids: string }[];
}

export function toPolled(
  wanted: readonly number[],
  byId: ReadonlyMap<number, Video>,
  { awaited, isInline }: { awaited: AwaitedState; isInline: boolean },
): PolledVideos {
  const pending: number[] = [];
  const missing: number[] = [];
  const failed = createTextGroups();
  const warned = createTextGroups();
  // The class comes from the whole text, of which only a part may be shown.
  const toShown = (said: string): VideoText => ({
    class: classifyVideoError(said),
    text: shownVideoError(said, { isInline }),
  });
  for (const id of wanted) {
    const video = byId.get(id);
    const verdict = video && judgeVideo(video, awaited);
    if (verdict === undefined) missing.push(id);
    else if (verdict.kind === 'pending') pending.push(id);
    else if (verdict.kind === 'failed') failed.add(toShown(verdict.text), id);
    else if (verdict.warning !== undefined) warned.add(toShown(verdict.warning), id);
  }
  return {
    pending: toRanges(pending),
    missing: toRanges(missing),
    failed: failed.groups(),
    warned: warned.groups().map(({ text, ids }) => ({ text, ids })),
  };
}
