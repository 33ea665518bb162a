import type { Strike } from './chaos.js';

/**
 * The fewest strikes that still show the finding: halves first, then each one (delta debugging).
 *
 * @param shows whether a run with only these strikes still shows it
 * @param most tries; a seed costs tens of milliseconds
 */
export async function shrink(
  strikes: readonly Strike[],
  shows: (strikes: readonly Strike[]) => Promise<boolean>,
  most = 200,
): Promise<readonly Strike[]> {
  let left = strikes;
  let tries = 0;
  const holds = async (some: readonly Strike[]): Promise<boolean> => {
    tries += 1;
    return tries <= most && shows(some);
  };
  if (await holds([])) return [];
  for (let size = Math.ceil(left.length / 2); size >= 1; size = Math.floor(size / 2)) {
    for (let from = 0; from < left.length;) {
      const without = [...left.slice(0, from), ...left.slice(from + size)];
      if (without.length < left.length && (await holds(without))) left = without;
      else from += size;
    }
  }
  return left;
}
