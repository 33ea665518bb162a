import { ProblemError } from '../problems/problem.js';
import { AWAY_PROBLEM } from '../problems/to-problem.js';

/**
 * The answer of a call, if it comes in time. A later answer is dropped: what the call began goes on.
 * @throws ProblemError (503) after the time
 */
export async function within<T>(ms: number, call: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      reject(new ProblemError(AWAY_PROBLEM));
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
