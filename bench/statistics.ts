/** The smallest value that `percent` of the values do not exceed (nearest rank); NaN without values. */
export function percentile(values: readonly number[], percent: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  const rank = Math.ceil((sorted.length * percent) / 100);
  return sorted[Math.max(rank, 1) - 1] ?? Number.NaN;
}

/** Of what `of` reads from each. */
export function medianOf<T>(items: readonly T[], of: (item: T) => number): number {
  return percentile(items.map(of), 50);
}

export function sumOf(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0);
}

/** Slope of the line that fits the points best: how much `y` grows per `x`. NaN with fewer than two places. */
export function slopeOf(points: readonly { x: number; y: number }[]): number {
  const x = sumOf(points.map((point) => point.x)) / points.length;
  const y = sumOf(points.map((point) => point.y)) / points.length;
  const rise = sumOf(points.map((point) => (point.x - x) * (point.y - y)));
  return rise / sumOf(points.map((point) => (point.x - x) ** 2));
}

/** The smallest and the greatest ratio, for a table. */
export function rangeOf(ratios: readonly number[]): string {
  return `${Math.min(...ratios).toFixed(2)} to ${Math.max(...ratios).toFixed(2)}`;
}

/** Counts the items by key. */
export function countBy<T>(items: readonly T[], keyOf: (item: T) => string): Map<string, number> {
  const counts = new Map<string, number>();
  for (const key of items.map(keyOf)) counts.set(key, (counts.get(key) ?? 0) + 1);
  return counts;
}
