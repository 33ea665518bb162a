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

export function createFreezeWatch(now: () => number = Date.now): FreezeWatch {
  let seenAt = now();
  let wokenAt = -Infinity;
  const look = (): void => {
    const at = now();
    if (at - seenAt >= FREEZE_MS) wokenAt = at;
    seenAt = at;
  };
  setInterval(look, TICK_MS).unref();
  return {
    hasJustWoken: () => {
      // A call may begin before the first tick after the stop.
      look();
      return now() - wokenAt < SUSPECT_MS;
    },
  };
}
