import { DEFAULT_POLL_POLICY } from '../../../src/contract/wire/tasks.js';
import { scalePollPolicy, type RunPolicy } from '../../../src/engine/core/run-policy.js';

export interface TestPolicyOptions {
  /** True: poll as a production worker does, whatever the speed. */
  realPolls?: boolean;
  policy?: Partial<RunPolicy>;
}

/** How the runs of tests wait. */
export function testPolicy({
  speed,
  realPolls = false,
  policy,
}: TestPolicyOptions & { speed: number }): RunPolicy {
  return {
    poll: scalePollPolicy(DEFAULT_POLL_POLICY, realPolls ? 1 : 1 / speed),
    reconcileGraceMs: 500,
    longestRetryMs: 4_000,
    searchAttributes: true,
    watcher: true,
    traceTasks: true,
    ...policy,
  };
}
