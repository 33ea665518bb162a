import { condition } from '@temporalio/workflow';

import { videoIds, videosChangedSignal } from '../../../contract/wire/messages.js';
import { onSignal } from '../../../engine/run/on-message.js';

/**
 * Videos that have changed, as the streaming platform says. It says so once and without a signature, so this
 * is never more than a reason to look earlier.
 */
export interface VideoHints {
  /** Waits for the time, or less when one of these videos changes. @param ms the timer */
  wait: (ms: number, options: { summary: string; among: Videos }) => Promise<void>;
  /** The changed ones among these videos. Forgets all others. */
  take: (among: Videos) => number[];
}

interface Videos {
  has: (videoId: number) => boolean;
}

/** More hints between two looks are dropped: the next look by the timer sees these videos. */
const MAX_HINTS = 10_000;

/** Handles the signal of this run. Nobody but the platform checks what comes with it. */
export function createVideoHints(): VideoHints {
  const changed = new Set<number>();
  onSignal(videosChangedSignal, videoIds, (ids) => {
    for (const id of ids.slice(0, MAX_HINTS - changed.size)) changed.add(id);
  });
  const isAny = (among: Videos): boolean => [...changed].some((id) => among.has(id));
  return {
    wait: async (ms, { summary, among }) => {
      // A timer of 0 would be no timer.
      await condition(() => isAny(among), Math.max(ms, 1), { summary });
    },
    take: (among) => {
      const ids = [...changed].filter((id) => among.has(id));
      changed.clear();
      return ids;
    },
  };
}
