import { addTo } from './counts.js';
import { BUSY, ProblemError } from './problem.js';

/** Waits until there is room for this many, and gives the function that gives it back. @throws ProblemError (503) */
export type Enter = (name: string, cost: number) => Promise<() => void>;

interface Waiting {
  name: string;
  cost: number;
  begin: () => void;
}

/** Who waits longer has mostly gone. */
const WAITS_MS = 30_000;

/**
 * Room for work of a limited size. Whoever has least of it is next, and nobody has more than half, except for one piece
 * that is larger. A large one that is next lets no smaller ones pass: they would keep it waiting for ever.
 */
export function createLine(most: number, waitsMs = WAITS_MS): Enter {
  const taken = new Map<string, number>();
  const waiting = new Set<Waiting>();
  let all = 0;
  const change = (name: string, by: number): void => {
    all += by;
    addTo(taken, name, by);
  };
  const next = (): Waiting | undefined => {
    let first: { own: number; one: Waiting } | undefined;
    for (const one of waiting) {
      const own = taken.get(one.name) ?? 0;
      const mayBegin = own === 0 || own + one.cost <= most / 2;
      if (mayBegin && (first === undefined || own < first.own)) first = { own, one };
    }
    return first?.one;
  };
  const beginAll = (): void => {
    for (let one = next(); one !== undefined && all + one.cost <= most; one = next()) {
      waiting.delete(one);
      change(one.name, one.cost);
      one.begin();
    }
  };
  return (name, asked) => {
    const cost = Math.min(asked, most);
    return new Promise((resolve, reject) => {
      const begin = (): void => {
        clearTimeout(timer);
        let isLeft = false;
        resolve(() => {
          if (isLeft) return;
          isLeft = true;
          change(name, -cost);
          beginAll();
        });
      };
      const one = { name, cost, begin };
      const timer = setTimeout(() => {
        waiting.delete(one);
        reject(new ProblemError(BUSY));
        beginAll();
      }, waitsMs).unref();
      waiting.add(one);
      beginAll();
    });
  };
}
