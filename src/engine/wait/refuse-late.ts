import { FailureType } from '../core/failures.js';
import { isoOf } from '../core/iso-of.js';
import { failure } from '../run/failures.js';
import type { Pace } from './create-pause.js';

/** Gives the wait up after a look without a result, when its time is over. */
export function refuseLate({ name, giveUpAt }: Pick<Pace, 'name' | 'giveUpAt'>): void {
  if (giveUpAt !== undefined && Date.now() >= giveUpAt) throw givenUpFailure(name, giveUpAt);
}

export function givenUpFailure(name: string, giveUpAt: number | undefined): Error {
  const until = giveUpAt === undefined ? '' : ` until ${isoOf(giveUpAt)}`;
  return failure(FailureType.deadlineExceeded, `Waited for ${name}${until} without success.`, {
    advice:
      'This is far longer than usual. Ask the support of the API, then start again under the same request id.',
  });
}
