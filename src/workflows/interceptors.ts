import type { WorkflowInterceptors } from '@temporalio/workflow';

import { interceptors as hearCancel } from '../engine/run/cancel-asked.js';
import { interceptors as refuseStaleTime } from '../engine/run/refuse-stale-time.js';
import { interceptors as traceRun } from '../engine/run/trace-run.js';

/** Every worker that runs these workflows needs them, in this order: a stale event must be refused first. */
export function interceptors(): WorkflowInterceptors {
  const all = [refuseStaleTime(), hearCancel(), traceRun()];
  return {
    inbound: all.flatMap(({ inbound = [] }) => inbound),
    outbound: all.flatMap(({ outbound = [] }) => outbound),
    internals: all.flatMap(({ internals = [] }) => internals),
  };
}
