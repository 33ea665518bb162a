import type { Clock } from '../time/clock.js';

/** What happened, in the order of time, for a person. */
export interface Story {
  /** @param who such as `API`, `Temporal`, `operator`, a Workflow Id or a process */
  tell(who: string, what: string): void;
  lines(): readonly string[];
}

export function createStory(clock: Clock, { silent = false } = {}): Story {
  const startsAt = clock.now();
  const told: Told[] = [];
  return {
    tell(who, what) {
      if (silent) return;
      const seconds = ((clock.now() - startsAt) / 1_000).toFixed(3).padStart(10);
      told.push({ seconds, text: `${who.padEnd(12)} ${what}` });
    },
    lines: () => folded(told),
  };
}

interface Told {
  seconds: string;
  text: string;
}

/** A run that waits for hours makes the same few calls again and again: times in texts differ, and the rest does not. */
const WINDOW = 6;

function folded(told: readonly Told[]): string[] {
  const lines: string[] = [];
  const recent: string[] = [];
  let more = 0;
  const close = (): void => {
    if (more > 0) lines.push(`            … ${more} more like these`);
    more = 0;
  };
  for (const { seconds, text } of told) {
    const form = text.replaceAll(/\d{4}-\d\d-\d\dT[\d:.%A-Z]+/g, '');
    if (recent.includes(form)) {
      more += 1;
      continue;
    }
    close();
    lines.push(`${seconds}  ${text}`);
    recent.push(form);
    if (recent.length > WINDOW) recent.shift();
  }
  close();
  return lines;
}
