import type { Operations } from '../../../src/contract/index.js';

/** An input that is refused, where, and a word of what is said about it. */
export interface BadInput<O extends keyof Operations = keyof Operations> {
  operation: O;
  name: string;
  input: unknown;
  path: string;
  says: RegExp;
}

/** Inputs of one operation that are like its sound one, but for some fields. */
export function badInputsOf<O extends keyof Operations>(operation: O, sound: object) {
  return (name: string, change: object, [path, says]: readonly [string, RegExp]): BadInput<O> => ({
    operation,
    name,
    input: { ...sound, ...change },
    path,
    says,
  });
}
