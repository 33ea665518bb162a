/** For services that start and follow runs. Needs neither the worker nor its native parts. */
export { connectGcoreWorkflows, type ConnectedGcoreWorkflows } from './connect.js';
export {
  InvalidInputError,
  NoAnswerError,
  RequestConflictError,
  RunCancelledError,
  RunEndedError,
  RunFailedError,
  RunNotFoundError,
  UpdateRefusedError,
  type RunUpdateName,
  type RunFailure,
} from './errors.js';
export { createGcoreWorkflows, type GcoreWorkflows } from './gcore-workflows.js';
export type { StartedRun, StartRequest } from './start-run.js';
export type { ExplainOptions, Explanation } from './explain/explain-run.js';
export type { ListedPhase, RunSummary } from './list-runs.js';
export type { Correction, RunUpdates } from './run-updates.js';
export { faultsOf, planOfFaults, type PlanOptions, type PlanRequest, type Plans } from './plans.js';
export type { QueuePollers } from './pollers.js';
