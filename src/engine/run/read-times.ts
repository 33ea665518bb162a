import type { AskForNews } from '../core/news.js';
import type { RunPolicy } from '../core/run-policy.js';

/**
 * How long what a run has seen counts as true, for a change that rests on it: time for a worker to take the change. A read
 * that spares another one must be newer: see `isFresh`.
 */
const FRESH_MS = 30_000;

/** Each time in a row that no worker takes a change in time gives the next one four times as long. */
const GROWTH = 4;
/** After this many misses the time grows no further. It is two hours then: a change gets its turn even in a long queue. */
const MOST_MISSES = 4;

export interface Freshness {
  /** Milliseconds in which a change that rests on a look of this time may still be taken by a worker. */
  leftOf(seenAt: number): number;
  /** A change was not taken in time. */
  missed(): void;
  /** A worker has taken the change. */
  taken(): void;
}

/**
 * A change that no worker takes while its look is fresh is not sent, and the run looks again. In a queue that is
 * longer than that, a run that looked again each time for the same short time would never send.
 */
export function createFreshness({ freshMs = FRESH_MS }: Pick<RunPolicy, 'freshMs'>): Freshness {
  let misses = 0;
  return {
    leftOf: (seenAt) => seenAt + freshMs * GROWTH ** misses - Date.now(),
    missed: () => {
      misses = Math.min(misses + 1, MOST_MISSES);
    },
    taken: () => {
      misses = 0;
    },
  };
}

/** A read counts as made now until it is this old. */
const READ_IS_NEW_MS = 5_000;

/**
 * Whether what was read at this time needs no new read. This is shorter than the time in which a change may rest on a look
 * (`createFreshness`): there the time passes in the queue of the workers, where a run can do nothing about it, so it is long
 * and grows. Here a new read costs one request. Open runs have recorded which reads they made, so with another time they
 * would not replay.
 *
 * @param at milliseconds since the epoch, if it is known
 */
export function isFresh(at = -Infinity): boolean {
  return Date.now() - at <= READ_IS_NEW_MS;
}

/** What a look has shown, and when at the earliest it was so, in milliseconds since the epoch. */
export interface Seen<T> {
  state: T;
  at: number;
  /**
   * The reads of the look: their answers are kept as long as this is. None when they do not say all that the look rests
   * on: one has failed, or it has made a long one.
   */
  reads?: readonly ShownRead[];
}

/** A read of a look, and what it has shown. */
export interface ShownRead {
  /** Of its activity. */
  name: string;
  input: unknown;
  result: unknown;
  /** Has Temporal repeat it until it shows something else. Fails as the read does. */
  untilNews(options: { summary: string }, news: AskForNews): Promise<unknown>;
}

/** Knows how old what the run has read is. */
export interface ReadTimes {
  /** Of the reads of a look, the oldest counts. */
  look<T>(look: () => Promise<T>): Promise<Required<Seen<T>>>;
  /** When this answer of a read, or a row of it, was read; `undefined` of anything else. */
  at(thing: object): number | undefined;
  /** Notes an answer of a read. */
  note(answer: unknown, at: number): void;
  /** @param read `undefined` when it has failed, or is long. */
  noteRead(read: ShownRead | undefined): void;
  /** What a part of an answer shows is as old as the whole. */
  notePart(part: unknown, whole: object): void;
  /** The look that goes on rests on something that was read at this time. */
  restOn(at: number): void;
}

interface Look {
  at: number;
  reads: ShownRead[];
  isWhole: boolean;
}

export function createReadTimes(): ReadTimes {
  const looks = new Set<Look>();
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
      const mine: Look = { at: Infinity, reads: [], isWhole: true };
      looks.add(mine);
      try {
        const state = await look();
        const at = Number.isFinite(mine.at) ? mine.at : began;
        return { state, at, reads: mine.isWhole ? mine.reads : [] };
      } finally {
        looks.delete(mine);
      }
    },
    at: (thing) => times.get(thing),
    note,
    noteRead(read) {
      for (const look of looks) {
        if (read === undefined) look.isWhole = false;
        else look.reads.push(read);
      }
    },
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

/** Two reads of the same have the same key. */
export function keyOfRead(name: string, input: unknown): string {
  return JSON.stringify([name, input]);
}

/** A look may read the same twice: the later answer counts. */
export function distinctReads(reads: readonly ShownRead[]): ShownRead[] {
  const byCall = new Map(reads.map((read) => [keyOfRead(read.name, read.input), read]));
  return [...byCall.values()];
}
