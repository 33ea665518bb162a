import type { WorkflowInterceptors } from '@temporalio/workflow';

import { interceptors as hearCancel } from './cancel-asked.js';
import { interceptors as refuseStaleTime } from './refuse-stale-time.js';

/** All interceptors that a bundle of these workflows needs, in their order: a stale event must be refused first. */
export function interceptors(): WorkflowInterceptors {
  const all = [refuseStaleTime(), hearCancel()];
  return { internals: all.flatMap(({ internals = [] }) => internals) };
}
