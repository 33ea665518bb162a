import type { WorkflowInterceptors } from '@temporalio/workflow';

import { interceptors as refuseStaleTime } from './engine/run/refuse-stale-time.js';
import { interceptors as traceRun } from './engine/run/trace-run.js';

/** Every worker that runs these workflows needs them. */
export function interceptors(): WorkflowInterceptors {
  const all = [refuseStaleTime(), traceRun()];
  return {
    inbound: all.flatMap(({ inbound = [] }) => inbound),
    outbound: all.flatMap(({ outbound = [] }) => outbound),
    internals: all.flatMap(({ internals = [] }) => internals),
  };
}
