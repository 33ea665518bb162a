import { isDeepStrictEqual } from 'node:util';

/** Whether a change would make a row another one. */
export function hasChanges<T extends object>(row: Readonly<T>, change: Partial<T>): boolean {
  return !isDeepStrictEqual({ ...row, ...change }, row);
}
