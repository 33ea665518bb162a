import { condition } from '@temporalio/workflow';

/** Whether the run is paused, and who has to know at once. */
export interface PauseState {
  isPaused: () => boolean;
  set: (isPaused: boolean) => void;
  /** Resolves when the run is not paused, or when it is to end. */
  untilOver: (isEnding: () => boolean) => Promise<void>;
  /** Calls back at each pause. Returns how to stop that. */
  onPause: (act: () => void) => () => void;
}

export function createPauseState(onChange: (isPaused: boolean) => void): PauseState {
  let isPaused = false;
  const listeners = new Set<() => void>();
  return {
    isPaused: () => isPaused,
    set(next) {
      if (isPaused === next) return;
      isPaused = next;
      onChange(next);
      if (next) for (const act of listeners) act();
    },
    async untilOver(isEnding) {
      // Each promise in a workflow costs, so only a paused run waits for one.
      if (isPaused) await condition(() => !isPaused || isEnding());
    },
    onPause(act) {
      listeners.add(act);
      return () => {
        listeners.delete(act);
      };
    },
  };
}
