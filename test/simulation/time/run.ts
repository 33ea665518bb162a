import { createClock, type Clock } from './clock.js';
import { createDraw, type Draw } from './draw.js';
import { installGlobals } from './globals.js';

/** When every simulation begins. */
const STARTS_AT = Date.parse('2026-01-01T00:00:00Z');

/** Time and chance of one simulation. */
export interface Simulation {
  readonly clock: Clock;
  readonly draw: Draw;
  readonly startedAt: number;
  /** Lets virtual time pass until this has settled. @throws NothingLeft where it never will, or not within `limitMs` */
  until<T>(work: Promise<T>, limitMs?: number): Promise<T>;
  /** Lets this much virtual time pass. */
  pass(ms: number): Promise<void>;
}

/** What was waited for cannot come any more. */
class NothingLeft extends Error {
  override readonly name = 'NothingLeft';
}

/** Of a whole simulation: a mixed world with hours of waiting needs a hundredth of them. */
const MOST_STEPS = 5_000_000;
const LIMIT_MS = 90 * 24 * 3_600_000;

/** The simulation before: they take turns, because each has the time of the whole OS process. */
let last: Promise<unknown> = Promise.resolve();

/** Runs in virtual time and with drawn chance. Same seed, same run. */
export function simulate<T>(
  seed: number,
  body: (simulation: Simulation) => Promise<T>,
): Promise<T> {
  const turn = last.then(() => simulateNow(seed, body));
  last = turn.catch(() => undefined);
  return turn;
}

async function simulateNow<T>(
  seed: number,
  body: (simulation: Simulation) => Promise<T>,
): Promise<T> {
  const clock = createClock(STARTS_AT);
  const draw = createDraw(seed);
  const globals = installGlobals(clock, draw);
  let steps = 0;
  const drive = async (isOver: () => boolean, until: number): Promise<void> => {
    for (;;) {
      steps += 1;
      if (steps > MOST_STEPS) throw new NothingLeft('this goes on and on');
      await globals.settle();
      if (isOver()) return;
      const next = clock.next();
      if (next === undefined) throw new NothingLeft('nothing is left that could go on');
      if (next > until) throw new NothingLeft('this takes longer than it may');
      clock.step();
    }
  };
  const simulation: Simulation = {
    clock,
    draw,
    startedAt: STARTS_AT,
    async until(work, limitMs = LIMIT_MS) {
      let isOver = false;
      const end = (): void => {
        isOver = true;
      };
      work.then(end, end);
      await drive(() => isOver, clock.now() + limitMs);
      return work;
    },
    async pass(ms) {
      let isOver = false;
      clock.after(ms, () => {
        isOver = true;
      });
      await drive(() => isOver, clock.now() + ms);
    },
  };
  try {
    return await body(simulation);
  } finally {
    globals.restore();
  }
}
