import type { Clock } from '../time/clock.js';

/** What happened, in the order of time, for a person. */
export interface Story {
  /** @param who such as `API`, `Temporal`, `operator`, a Workflow Id or a process */
  tell(who: string, what: string): void;
  lines(): readonly string[];
}

export function createStory(clock: Clock, { silent = false } = {}): Story {
  const startsAt = clock.now();
  const lines: string[] = [];
  return {
    tell(who, what) {
      if (silent) return;
      const seconds = ((clock.now() - startsAt) / 1_000).toFixed(3).padStart(10);
      lines.push(`${seconds}  ${who.padEnd(12)} ${what}`);
    },
    lines: () => lines,
  };
}
