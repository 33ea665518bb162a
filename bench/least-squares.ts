/** Slope of the line that fits the points best: how much `y` grows per `x`. NaN with fewer than two places. */
export function slopeOf(points: readonly { x: number; y: number }[]): number {
  const meanOf = (values: readonly number[]): number =>
    values.reduce((sum, value) => sum + value, 0) / values.length;
  const x = meanOf(points.map((point) => point.x));
  const y = meanOf(points.map((point) => point.y));
  const rise = points.reduce((sum, point) => sum + (point.x - x) * (point.y - y), 0);
  const run = points.reduce((sum, point) => sum + (point.x - x) ** 2, 0);
  return rise / run;
}
