/** The maximum number of times within any window of `windowMs`. */
export function mostWithin(times: readonly number[], windowMs: number): number {
  const sorted = [...times].sort((a, b) => a - b);
  let first = 0;
  let maximum = 0;
  for (const [index, time] of sorted.entries()) {
    while (time - (sorted[first] ?? time) >= windowMs) first += 1;
    maximum = Math.max(maximum, index - first + 1);
  }
  return maximum;
}
