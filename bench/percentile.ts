/** The smallest value that `percent` of the values do not exceed (nearest rank); NaN without values. */
export function percentile(values: readonly number[], percent: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  const rank = Math.ceil((sorted.length * percent) / 100);
  return sorted[Math.max(rank, 1) - 1] ?? Number.NaN;
}
