import { ProblemError, type Problem } from './problem.js';

/** What lists take in memory that are being uploaded, compressed. */
export interface HeldBytes {
  /** Counts for this caller until `free`. */
  of: (caller: string) => Holding;
}

interface Holding {
  /** @throws ProblemError (503) when too much is held */
  add: (bytes: number) => void;
  free: () => void;
}

export interface HeldBytesOptions {
  total: number;
  perCaller: number;
}

/** A list is kept when all of it has been read, so all of it is in memory until then. */
export function createHeldBytes({ total, perCaller }: HeldBytesOptions): HeldBytes {
  const held = new Map<string, number>();
  let all = 0;
  return {
    of(caller) {
      let mine = 0;
      const change = (bytes: number): void => {
        all += bytes;
        mine += bytes;
        const left = (held.get(caller) ?? 0) + bytes;
        if (left === 0) held.delete(caller);
        else held.set(caller, left);
      };
      return {
        add(bytes) {
          change(bytes);
          if (all > total || (held.get(caller) ?? 0) > perCaller) throw new ProblemError(FULL);
        },
        free() {
          change(-mine);
        },
      };
    },
  };
}

const FULL: Problem = {
  status: 503,
  code: 'Busy',
  title: 'The gateway is busy',
  detail: 'The gateway holds too many lists that are being uploaded. Nothing was kept.',
  advice: 'Wait as Retry-After says, and upload the list again.',
  headers: { 'Retry-After': '10' },
};
