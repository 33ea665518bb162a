import { FailureType } from '../core/failures.js';
import { failureTypeOf } from '../run/failures.js';
import type { Run } from '../run/run-types.js';
import { findUnlessGone } from './find-unless-gone.js';

export interface SureRead<T> {
  /** Of the thing, for the status. */
  name: string;
  /** As the run has seen it before. */
  known?: T | undefined;
  /** Fails as `NotFound` when an answer does not show it. */
  read: () => Promise<T>;
  /** Whether it shows all that it needs: an answer may lack a part once. Left out where it has no parts. */
  isWhole?: ((seen: T) => boolean) | undefined;
  /** Whether a list shows it, or the part that the answer lacks, see `findUnlessGone`. Left out where there is none. */
  isListed?: ((seen: T | undefined) => Promise<boolean | undefined>) | undefined;
}

/**
 * A read of one thing that fails as `NotFound`, or shows it without a part, only when that is sure: a call may have changed it
 * since, and a run that ended by one 404 would not know. What the run has never seen is sure at once where no list could
 * show it: a mistyped id must not take two minutes.
 */
export function createSureRead<T extends object>(
  run: Run,
  { name, known, read, isWhole = () => true, isListed }: SureRead<T>,
): () => Promise<T> {
  let isKnown = known !== undefined;
  return async () => {
    const looked: { last: Look<T> } = { last: { missing: undefined } };
    const found = await findUnlessGone<T>(run, {
      name,
      async look() {
        const { seen } = (looked.last = await lookOnce(read));
        if (seen === undefined) return undefined;
        isKnown = true;
        return isWhole(seen) ? seen : undefined;
      },
      async isListed() {
        const listed = await isListed?.(looked.last.seen);
        return listed ?? (isKnown ? undefined : false);
      },
    });
    const { seen = looked.last.seen } = found.kind === 'found' ? found : {};
    if (seen === undefined) throw looked.last.missing;
    return seen;
  };
}

/** The thing, or the failure that says that it is missing. */
interface Look<T> {
  seen?: T;
  missing?: unknown;
}

async function lookOnce<T>(read: () => Promise<T>): Promise<Look<T>> {
  try {
    return { seen: await read() };
  } catch (missing) {
    if (failureTypeOf(missing) !== FailureType.notFound) throw missing;
    return { missing };
  }
}
