/** What a look has shown, and when at the earliest it was so, in milliseconds since the epoch. */
export interface Seen<T> {
  state: T;
  at: number;
}

/** Knows how old what the run has read is. */
export interface ReadTimes {
  /** Of the reads of a look, the oldest counts. */
  look<T>(look: () => Promise<T>): Promise<Seen<T>>;
  /** When this answer of a read, or a row of it, was read; `undefined` of anything else. */
  at(thing: object): number | undefined;
  /** Notes an answer of a read. */
  note(answer: unknown, at: number): void;
  /** What a part of an answer shows is as old as the whole. */
  notePart(part: unknown, whole: object): void;
  /** The look that goes on rests on something that was read at this time. */
  restOn(at: number): void;
}

export function createReadTimes(): ReadTimes {
  const looks = new Set<{ at: number }>();
  const times = new WeakMap<object, number>();
  const restOn = (at: number): void => {
    for (const look of looks) look.at = Math.min(look.at, at);
  };
  const note = (answer: unknown, at: number): void => {
    restOn(at);
    const things: readonly unknown[] = Array.isArray(answer) ? answer : [answer];
    for (const thing of things) if (thing instanceof Object) times.set(thing, at);
  };
  return {
    async look(look) {
      const began = Date.now();
      const mine = { at: Infinity };
      looks.add(mine);
      try {
        const state = await look();
        return { state, at: Number.isFinite(mine.at) ? mine.at : began };
      } finally {
        looks.delete(mine);
      }
    },
    at: (thing) => times.get(thing),
    note,
    notePart(part, whole) {
      const at = times.get(whole);
      if (at !== undefined) note(part, at);
    },
    restOn,
  };
}

/**
 * When a read was made: after the run has asked for it, and before the run has heard of it. A worker knows the clock of
 * the server only roughly.
 */
export function readTime(
  readAt: number | null,
  { asked, heard }: { asked: number; heard: number },
): number {
  return readAt === null ? asked : Math.min(Math.max(readAt, asked), heard);
}
