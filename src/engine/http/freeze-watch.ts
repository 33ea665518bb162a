import { performance } from 'node:perf_hooks';

/**
 * Notices that this process stood still: a stopped process, a paused machine. The Temporal server goes on
 * meanwhile: it hands calls to the connections of the process, and gives them up when they take too long.
 * After the process wakes up, it finds these calls and would send them, although nobody waits any more.
 */
export interface FreezeWatch {
  /** Whether a call that begins now may have been handed to this process before it stood still. */
  hasJustWoken(): boolean;
}

/** Half the time limit of a call: after a shorter stop nobody has given a call up yet. */
const FREEZE_MS = 10_000;
/** Calls that waited in the connections arrive within this time. Fresh ones are refused too: they come again. */
const SUSPECT_MS = 5_000;
const TICK_MS = 1_000;

/**
 * Counts the time that passes from look to look, so that a clock that is set back takes nothing away.
 *
 * @param clocks in milliseconds. The monotonic one stands still while a machine sleeps, the time of day may be
 *   set: what either of them shows to have passed counts.
 */
export function createFreezeWatch(...clocks: readonly (() => number)[]): FreezeWatch {
  const passed = passedBy(clocks.length > 0 ? clocks : [() => performance.now(), Date.now]);
  let sinceWokenMs = Infinity;
  const look = (): void => {
    const ms = passed();
    sinceWokenMs = ms >= FREEZE_MS ? 0 : sinceWokenMs + ms;
  };
  setInterval(look, TICK_MS).unref();
  return {
    hasJustWoken: () => {
      // A call may begin before the first tick after the stop.
      look();
      return sinceWokenMs < SUSPECT_MS;
    },
  };
}

/** Milliseconds since the last call, by the clock that shows the most. */
function passedBy(clocks: readonly (() => number)[]): () => number {
  const watched = clocks.map((clock) => ({ clock, seenAt: clock() }));
  return () => {
    const steps = watched.map((watch) => {
      const at = watch.clock();
      const ms = at - watch.seenAt;
      watch.seenAt = at;
      return ms;
    });
    return Math.max(0, ...steps);
  };
}
