/** Ends what waits. After it has run, or ended, this changes nothing. */
export type Cancel = () => void;

/** Virtual time: it stands still while anything runs, and jumps to the next thing that is due when nothing does. */
export interface Clock {
  /** Milliseconds since 1970, as `Date.now()` says them in the simulation. */
  now: () => number;
  /** Runs `act` once after this time. What is due at the same time runs in the order in which it was asked for. */
  after(ms: number, act: () => void): Cancel;
  /** The time of the next thing that is due, or undefined where nothing waits. */
  next(): number | undefined;
  /** Jumps to the next thing that is due, and runs it. False where nothing waits. */
  step(): boolean;
}

/** Resolves after this time. */
export function pass(clock: Pick<Clock, 'after'>, ms: number): Promise<void> {
  return new Promise((resolve) => {
    clock.after(ms, resolve);
  });
}

interface Entry {
  at: number;
  order: number;
  act: (() => void) | undefined;
}

/** A clock that begins at this time. Its queue is a binary heap: a mixed world has thousands of timers. */
export function createClock(startsAt: number): Clock {
  let time = startsAt;
  let order = 0;
  const heap = createHeap();
  const dropCancelled = (): void => {
    while (heap.first() !== undefined && heap.first()?.act === undefined) heap.take();
  };
  return {
    now: () => time,
    after(ms, act) {
      const entry: Entry = { at: time + Math.max(0, ms), order: (order += 1), act };
      heap.put(entry);
      return () => {
        entry.act = undefined;
      };
    },
    next() {
      dropCancelled();
      return heap.first()?.at;
    },
    step() {
      dropCancelled();
      const entry = heap.take();
      if (entry?.act === undefined) return false;
      time = Math.max(time, entry.at);
      const { act } = entry;
      entry.act = undefined;
      act();
      return true;
    },
  };
}

function isBefore(a: Entry, b: Entry): boolean {
  return a.at < b.at || (a.at === b.at && a.order < b.order);
}

function createHeap() {
  const entries: Entry[] = [];
  const swap = (a: number, b: number): void => {
    const [x, y] = [entries[a], entries[b]];
    if (x === undefined || y === undefined) return;
    entries[a] = y;
    entries[b] = x;
  };
  const isSooner = (a: number, b: number): boolean => {
    const [x, y] = [entries[a], entries[b]];
    return x !== undefined && y !== undefined && isBefore(x, y);
  };
  const rise = (from: number): void => {
    let at = from;
    while (at > 0 && isSooner(at, (at - 1) >> 1)) {
      swap(at, (at - 1) >> 1);
      at = (at - 1) >> 1;
    }
  };
  const sink = (): void => {
    let at = 0;
    for (;;) {
      const [left, right] = [2 * at + 1, 2 * at + 2];
      const child = isSooner(right, left) ? right : left;
      if (!isSooner(child, at)) return;
      swap(at, child);
      at = child;
    }
  };
  return {
    first: (): Entry | undefined => entries[0],
    put(entry: Entry): void {
      entries.push(entry);
      rise(entries.length - 1);
    },
    take(): Entry | undefined {
      const [first] = entries;
      const last = entries.pop();
      if (entries.length > 0 && last !== undefined) {
        entries[0] = last;
        sink();
      }
      return first;
    },
  };
}
