import { createHash } from 'node:crypto';

/** An id that follows from a name: the same in each simulator, and no other row's. */
export function stockId(...name: readonly (string | number)[]): string {
  const hex = createHash('sha256').update(name.join('/')).digest('hex');
  return [
    hex.slice(0, 8),
    hex.slice(8, 12),
    `4${hex.slice(13, 16)}`,
    `8${hex.slice(17, 20)}`,
    hex.slice(20, 32),
  ].join('-');
}
