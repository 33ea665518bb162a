import type { LaterRead, ShownLater } from '../core/news.js';
import type { PauseState } from './controls.js';
import { distinctReads, isFresh, keyOfRead, type ShownRead } from './read-times.js';

/** More take too long: an answer that is lost meanwhile counts as unknown. */
const MOST_READS = 3;

/** The reads of a look, to be made again as soon as the change has been answered that rests on it. */
export function againAfter(reads: readonly ShownRead[] = []): LaterRead[] {
  const again = distinctReads(reads).map(({ name: read, input }) => ({ read, input }));
  return again.length > MOST_READS ? [] : again;
}

/** What a read has shown that was made for a change, and when its run had asked for that. */
export interface ShownAfter {
  shown: ShownLater;
  asked: number;
}

/** What the activity of the last change has read after it: each read spares the run the next one of the same. */
export interface ReadsAfter {
  note(reads: readonly LaterRead[], shown: readonly ShownLater[], asked: number): void;
  /** At most once, and only while it needs no new read. */
  take(read: LaterRead): ShownAfter | undefined;
  /** Another change has ended: what was read before that proves nothing about it. */
  forget(): void;
}

/** @param pause makes every read stale: somebody may change things by hand meanwhile */
export function createReadsAfter(pause: Pick<PauseState, 'isPaused' | 'onPause'>): ReadsAfter {
  const known = new Map<string, ShownAfter>();
  const forget = (): void => {
    known.clear();
  };
  pause.onPause(forget);
  return {
    note(reads, shown, asked) {
      if (pause.isPaused()) return;
      for (const [at, one] of shown.entries()) {
        const read = reads[at];
        if (read !== undefined) known.set(keyOfRead(read.read, read.input), { shown: one, asked });
      }
    },
    take({ read, input }) {
      // An input may be a megabyte, and hardly a read follows a change.
      if (known.size === 0) return undefined;
      const key = keyOfRead(read, input);
      const after = known.get(key);
      known.delete(key);
      return after !== undefined && isFresh(after.shown.readAt) ? after : undefined;
    },
    forget,
  };
}
