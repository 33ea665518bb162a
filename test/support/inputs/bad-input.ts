import type { Operations } from '../../../src/contract/index.js';

/** An input that is refused, the path of its fault and a part of the message. */
export interface BadInput<O extends keyof Operations = keyof Operations> {
  operation: O;
  name: string;
  input: unknown;
  path: string;
  says: RegExp;
}

/** Makes bad inputs of one operation: the sound input with some fields changed. */
export function badInputsOf<O extends keyof Operations>(operation: O, sound: object) {
  return (name: string, change: object, [path, says]: readonly [string, RegExp]): BadInput<O> => ({
    operation,
    name,
    input: { ...sound, ...change },
    path,
    says,
  });
}
