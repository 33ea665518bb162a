const MAX_NAMES = 5;

/** The names with the longest common beginning, the best first. */
export function nearestNames(wanted: string, names: readonly string[]): string[] {
  return [...names]
    .sort((a, b) => sharedStart(b, wanted) - sharedStart(a, wanted) || (a < b ? -1 : 1))
    .slice(0, MAX_NAMES);
}

function sharedStart(a: string, b: string): number {
  let length = 0;
  while (length < a.length && a[length] === b[length]) length += 1;
  return length;
}
