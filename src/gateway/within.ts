import type { GcoreWorkflows } from '../client/index.js';
import { ProblemError, type Problem } from './problem.js';
import { AWAY_PROBLEM } from './to-problem.js';

/**
 * The answer of a call, if it comes in time. Then the call ends, so that nothing of a request outlives its answer, and a
 * server that hangs fills no memory. What it has asked a run for goes on.
 * @throws ProblemError (503) after the time
 */
export function within<T>(gcore: Deadlines, ms: number, ask: () => Promise<T>): Promise<T> {
  return awaited(ms, gcore.endingWithin(ms, ask));
}

/** A client whose calls end in time. */
export type Deadlines = Pick<GcoreWorkflows, 'endingWithin'>;

/**
 * The same for what others wait for too: it goes on.
 * @throws ProblemError after the time: 503, when nothing else is given
 */
export async function awaited<T>(
  ms: number,
  call: Promise<T>,
  problem: Problem = AWAY_PROBLEM,
): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      reject(new ProblemError(problem));
    }, ms);
  });
  try {
    return await Promise.race([call, late]);
  } finally {
    clearTimeout(timer);
    // Nobody waits for it any more, so nobody would catch its error.
    call.catch(() => undefined);
  }
}

export interface Following {
  signal: AbortSignal;
  /** Aborts this signal, and not those that it follows. */
  abort: () => void;
  letGo: () => void;
}

/** A signal that follows others until it is let go. `AbortSignal.any` would be kept by the longest-lived of them. */
export function followSignals(...signals: AbortSignal[]): Following {
  const controller = new AbortController();
  const abort = (): void => {
    controller.abort();
  };
  for (const signal of signals) {
    if (signal.aborted) abort();
    signal.addEventListener('abort', abort);
  }
  return {
    signal: controller.signal,
    abort,
    letGo: () => {
      for (const signal of signals) signal.removeEventListener('abort', abort);
    },
  };
}
