import type { MetricMeter } from '@temporalio/common';

import { FailureType } from '../../contract/failures.js';
import { sdkNameOf } from '../../contract/metric.js';
import { Operation, WORKFLOW_TASK_QUEUE } from '../../contract/names.js';
import { Phase } from '../../contract/status.js';
import { WORKFLOW_METRICS } from '../../contract/workflow-metrics.js';

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
  const { runsEnded } = WORKFLOW_METRICS;
  const ended = meter.createCounter(sdkNameOf(runsEnded), '', runsEnded.help);
  for (const operation of Object.values(Operation)) {
    // As the SDK labels what a workflow counts.
    const ofWorkflow = { namespace, taskQueue: WORKFLOW_TASK_QUEUE, workflowType: operation };
    for (const end of ENDS) ended.add(0, { ...ofWorkflow, operation, ...end });
  }
}
