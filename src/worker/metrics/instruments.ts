import type { MetricMeter } from '@temporalio/common';

import { sdkNameOf, type LabelsOf, type Metric } from '../../engine/core/metrics.js';
import { WORKER_METRICS } from '../../contract/metrics.js';

/** Adds to a counter, sets a gauge, or puts a value into a histogram. */
export type Instrument<M extends Metric> = (value: number, labels: LabelsOf<M>) => void;

type Instruments<T extends Record<string, Metric>> = {
  readonly [K in keyof T]: Instrument<T[K]>;
};

/** The metrics that activities and the process of a worker tell, ready for use. */
export type WorkerInstruments = Instruments<typeof WORKER_METRICS>;

export function createWorkerInstruments(meter: MetricMeter): WorkerInstruments {
  return createInstruments(meter, WORKER_METRICS);
}

function createInstruments<T extends Record<string, Metric>>(
  meter: MetricMeter,
  table: T,
): Instruments<T>;
function createInstruments(
  meter: MetricMeter,
  table: Record<string, Metric>,
): Record<string, Instrument<Metric>> {
  return Object.fromEntries(
    Object.entries(table).map(([key, metric]) => [key, createInstrument(meter, metric)]),
  );
}

export function createInstrument(meter: MetricMeter, metric: Metric): Instrument<Metric> {
  const name = sdkNameOf(metric);
  if (metric.kind === 'counter') {
    const counter = meter.createCounter(name, '', metric.help);
    return (value, labels) => {
      counter.add(value, { ...labels });
    };
  }
  if (metric.kind === 'gauge') {
    const gauge = meter.createGauge(name, 'float', '', metric.help);
    return (value, labels) => {
      gauge.set(value, { ...labels });
    };
  }
  const histogram = meter.createHistogram(name, 'float', '', metric.help);
  return (value, labels) => {
    histogram.record(value, { ...labels });
  };
}
