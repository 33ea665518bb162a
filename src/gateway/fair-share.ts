/**
 * The most that each may have of a total, so that those who want less get all that they want, and the others the same.
 * Infinite where the total is enough for all.
 */
export function fairShare(wanted: readonly number[], total: number): number {
  let left = total;
  let others = wanted.length;
  for (const each of wanted.toSorted((one, other) => one - other)) {
    if (each * others > left) return left / others;
    left -= each;
    others -= 1;
  }
  return Infinity;
}
