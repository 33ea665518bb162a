import type { WorkflowInterceptors } from '@temporalio/workflow';

import { interceptors as hearCancel } from './cancel-asked.js';
import { interceptors as freshTime } from './fresh-time.js';
import { interceptors as localInTurn } from './local-in-turn.js';
import { interceptors as placeDefects } from './place-defect.js';
import { interceptors as refuseStaleTime } from './refuse-stale-time.js';
import { interceptors as traceRun } from './trace-run.js';

/** Every bundle with runs of an engine needs them, in this order: a stale event must be refused first. */
export function interceptors(): WorkflowInterceptors {
  const all = [
    refuseStaleTime(),
    hearCancel(),
    traceRun(),
    placeDefects(),
    localInTurn(),
    freshTime(),
  ];
  return {
    inbound: all.flatMap(({ inbound = [] }) => inbound),
    outbound: all.flatMap(({ outbound = [] }) => outbound),
    internals: all.flatMap(({ internals = [] }) => internals),
  };
}
