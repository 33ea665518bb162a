import type { RunFacts, RunRecord } from '../../../src/client/explain/run-facts.js';
import type { FailureDetails } from '../../../src/engine/core/failures.js';

/** A time in seconds after the start of the run, which is 03:02:00. */
export function at(seconds: number): string {
  return new Date(Date.parse('2026-05-04T03:02:00.123Z') + seconds * 1000).toISOString();
}

export const ID = 'provision-instance/default/order-4711';
export const TASK = '3f2a91c0-1c3c-47bb-a833-9b8925998e89';
export const INSTANCE = '8942f0cf-b297-4fc5-8bf7-02c5f5d920fa';

const openRun: RunRecord = {
  operation: 'provisionInstance',
  state: 'RUNNING',
  startedAt: at(0),
  taskQueue: 'gcore-workflows',
  account: 'default',
};

/** The facts of an open run, 42 seconds after its start. Nothing has happened yet. */
export function factsOf(changes: Partial<RunFacts> = {}): RunFacts {
  return {
    workflowId: ID,
    namespace: 'blue',
    observedAt: at(42),
    run: openRun,
    idleQueues: [],
    calls: [],
    past: { timers: [], taskIds: [], resourceIds: [] },
    ...changes,
  };
}

/** The same run, ended after 40 seconds. */
export function closedFacts(state: string, changes: Partial<RunFacts> = {}): RunFacts {
  return factsOf({ run: { ...openRun, state, closedAt: at(40) }, ...changes });
}

export function failedFacts(type: string, message: string, details: Partial<FailureDetails>) {
  return closedFacts('FAILED', { ending: { kind: 'failed', type, message, details } });
}
