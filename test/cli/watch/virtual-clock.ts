import type { Clock } from '../../../src/cli/cli-io.js';

/**
 * A clock that jumps to the next thing anybody waits for, once everything else has settled.
 * Long waits take no time, and their order is the real one.
 */
export function createVirtualClock(start: number): Clock {
  let now = start;
  let isTurning = false;
  const waiting = new Set<{ at: number; wake: () => void }>();
  const turn = (): void => {
    const [next] = [...waiting].sort((a, b) => a.at - b.at);
    isTurning = next !== undefined;
    if (next === undefined) return;
    now = next.at;
    next.wake();
    setImmediate(turn);
  };
  return {
    now: () => now,
    delay: (ms, signal) =>
      new Promise((resolve) => {
        const entry = {
          at: now + ms,
          wake: () => {
            waiting.delete(entry);
            signal.removeEventListener('abort', entry.wake);
            resolve();
          },
        };
        waiting.add(entry);
        signal.addEventListener('abort', entry.wake);
        if (signal.aborted) entry.wake();
        if (!isTurning) setImmediate(turn);
        isTurning = true;
      }),
  };
}
