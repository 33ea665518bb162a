import { FailureType } from '../../../contract/failures.js';
import { isoOf } from '../../../contract/iso-of.js';
import { failure } from '../run/failures.js';
import type { Pace } from './create-pause.js';

/** Called after a look that did not show the end: when it came too late, the wait is given up. */
export function refuseLate({ name, giveUpAt }: Pick<Pace, 'name' | 'giveUpAt'>): void {
  if (giveUpAt !== undefined && Date.now() >= giveUpAt) throw tooLate(name, giveUpAt);
}

export function tooLate(name: string, giveUpAt: number | undefined): Error {
  const until = giveUpAt === undefined ? '' : ` until ${isoOf(giveUpAt)}`;
  return failure(FailureType.deadlineExceeded, `Waited in vain for ${name}${until}.`, {
    advice:
      'This is far longer than usual: ask the support of the API, then start again under the same request id.',
  });
}
