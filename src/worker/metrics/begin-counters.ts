import type { MetricMeter } from '@temporalio/common';

import { FailureType } from '../../engine/core/failures.js';
import { Operation, WORKFLOW_TASK_QUEUE } from '../../contract/wire/names.js';
import { Phase } from '../../engine/core/status.js';
import { WORKFLOW_METRICS } from '../../contract/wire/product.js';
import { createInstrument } from './instruments.js';

/** How runs end, by the labels of `gcore_runs_ended_total`. */
const ENDS = [
  { phase: Phase.succeeded, failure_type: 'none' },
  { phase: Phase.cancelled, failure_type: 'none' },
  ...Object.values(FailureType).map((type) => ({ phase: Phase.failed, failure_type: type })),
];

/**
 * Counts the ended runs from 0. A counter that Prometheus first sees at 1 has not increased, so the first run after
 * each start, and the first failure, would show nowhere.
 */
export function beginCounters(meter: MetricMeter, namespace: string): void {
  for (const operation of Object.values(Operation)) {
    // As the SDK labels what a workflow counts.
    const ofWorkflow = { namespace, taskQueue: WORKFLOW_TASK_QUEUE, workflowType: operation };
    const count = createInstrument(meter.withTags(ofWorkflow), WORKFLOW_METRICS.runsEnded);
    for (const end of ENDS) count(0, { operation, ...end });
  }
}
