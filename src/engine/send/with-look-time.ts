import type { Run } from '../run/run-types.js';
import type { Mutation } from './mutation.js';

/** Keeps when the last look was made: what is sent rests on it. */
export function withLookTime<T, Answer extends object>(
  run: Run,
  mutation: Mutation<T, Answer>,
): { mutation: Mutation<T, Answer>; looked: { at: number } } {
  const looked = { at: -Infinity };
  const look = async () => {
    const { state, at } = await run.api.times.look(() => mutation.look());
    looked.at = at;
    return state;
  };
  return { mutation: { ...mutation, look }, looked };
}
