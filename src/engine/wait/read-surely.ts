import { FailureType } from '../core/failures.js';
import { failureTypeOf, orUndefinedIfGone } from '../run/failures.js';
import type { Run } from '../run/run-types.js';
import { findUnlessGone } from './find-unless-gone.js';

/**
 * A read of one thing that fails as `NotFound` only when the thing is gone for sure, once the run has seen it: a call may have
 * changed it since, and a run that ended by one 404 would not know.
 *
 * @param name of the thing, for the status
 * @param known as the run has seen it before
 */
export function createSureRead<T extends object>(
  run: Run,
  { name, known, read }: { name: string; known?: T | undefined; read: () => Promise<T> },
): () => Promise<T> {
  let isKnown = known !== undefined;
  return async () => {
    try {
      const seen = await read();
      isKnown = true;
      return seen;
    } catch (error) {
      if (!isKnown || failureTypeOf(error) !== FailureType.notFound) throw error;
      const found = await findUnlessGone(run, { name, look: () => orUndefinedIfGone(read()) });
      if (found.kind === 'gone') throw error;
      return found.seen;
    }
  };
}
