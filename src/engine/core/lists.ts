/**
 * What two lists have in common, and what not, in the order of the first. Both may be as long as an answer of the API, and a
 * workflow that compares each with each stands still for seconds.
 */
export function without<T>(list: readonly T[], ...others: readonly (readonly T[])[]): T[] {
  const gone = new Set(others.flat());
  return list.filter((one) => !gone.has(one));
}

/** Those that both have. */
export function common<T>(list: readonly T[], other: readonly T[]): T[] {
  const wanted = new Set(other);
  return list.filter((one) => wanted.has(one));
}
