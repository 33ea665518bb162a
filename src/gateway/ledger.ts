import { BUSY, ProblemError } from './problem.js';

/** What the connection has not taken yet of an answer, in bytes. */
export interface Answer {
  readonly writableLength: number;
}

/** What one request makes the gateway hold, until it gives it back. */
export interface Holding {
  /** Counts so many bytes more. Zero asks whether there is room at all. @throws ProblemError (503) */
  add: (bytes: number) => void;
  free: () => void;
}

export interface Ledger {
  /** @param share of the whole that this one may see: the rest is for others */
  open: (name: string, answer: Answer, share?: number) => Holding;
}

interface Entry {
  bytes: number;
  answer: Answer;
}

/**
 * All bytes that are in memory for as long as callers like: nobody can take them back from who is slow to send or to read. So
 * nobody gets more of them than are left for the others: one alone has half, and of any number each leaves room for the next.
 */
export function createLedger(most: number): Ledger {
  const entries = new Map<string, Set<Entry>>();
  const sizesFor = (name: string): { own: number; all: number } => {
    const sizes = { own: 0, all: 0 };
    for (const [other, some] of entries) {
      let sum = 0;
      for (const { bytes, answer } of some) sum += bytes + answer.writableLength;
      if (other === name) sizes.own = sum;
      sizes.all += sum;
    }
    return sizes;
  };
  return {
    open(name, answer, share = 1) {
      const entry = { bytes: 0, answer };
      let isFree = false;
      return {
        add(bytes) {
          const { own, all } = sizesFor(name);
          if (own + bytes > most * share - all - bytes) throw new ProblemError(BUSY);
          // What is made for a request that has gone is for others who wait for the same.
          if (isFree) return;
          entry.bytes += bytes;
          entries.set(name, (entries.get(name) ?? new Set()).add(entry));
        },
        free() {
          isFree = true;
          const own = entries.get(name);
          if (own?.delete(entry) === true && own.size === 0) entries.delete(name);
        },
      };
    },
  };
}
