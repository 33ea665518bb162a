/**
 * One metric of the tables in `metrics.ts` and `workflow-metrics.ts`.
 *
 * No label holds an id, a name that a caller chose, or a text: each has a handful of values.
 */
export interface Metric {
  readonly name: string;
  readonly kind: 'counter' | 'gauge' | 'histogram';
  readonly labels: readonly string[];
  readonly help: string;
  /** Upper bounds of a histogram. */
  readonly buckets?: readonly number[];
}

/** The values for the labels of a metric. */
export type LabelsOf<M extends Metric> = Readonly<Record<M['labels'][number], string>>;

/** As the SDK wants it: its exporter adds `_total` to the name of a counter. */
export function sdkNameOf({ name }: Metric): string {
  return name.replace(/_total$/, '');
}
