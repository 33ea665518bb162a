/** For services that start and follow runs. Needs neither the worker nor its native parts. */
export { openCodec, type Codec, type CodecKeys } from '../codec/index.js';
export { DecryptionError } from '../codec/decryption-error.js';
export {
  connectGcoreWorkflows,
  type ConnectOptions,
  type ConnectedGcoreWorkflows,
} from './connect.js';
export {
  InvalidInputError,
  NoAnswerError,
  RequestConflictError,
  RunCancelledError,
  RunEndedError,
  RunEndingError,
  RunFailedError,
  RunNotFoundError,
  UpdateRefusedError,
  ScheduleConflictError,
  ScheduleNotFoundError,
  UploadInUseError,
  UploadLimitError,
  UploadNotFoundError,
  UploadUnsettledError,
  RetryRefusedError,
  type RunUpdateName,
  type RunFailure,
  type RetryRefusal,
} from './errors.js';
export type { RunName } from './ask-run.js';
export { createGcoreWorkflows, type GcoreWorkflows } from './gcore-workflows.js';
export type { StartedRun, StartRequest } from './start-run.js';
export type { ExplainOptions, Explanation } from './explain/explain-run.js';
export type { PhaseCount } from './count-runs.js';
export type { HistorySpan } from './history-spans.js';
export type { LastFailure } from './read-failure.js';
export type { RunHistory, StoredValue } from './run-history.js';
export type { RunSummary } from './run-summary.js';
export type { ListedPhase, RunFilter } from './run-filter.js';
export type { PageFilter, RunPage } from './list-runs.js';
export type { Correction, RunUpdates } from './run-updates.js';
export { faultsOf, planOfFaults, type PlanOptions, type PlanRequest, type Plans } from './plans.js';
export type { QueuePollers } from './pollers.js';
export type { ScheduleRequest } from './schedules/check-schedule.js';
export type { CreatedSchedule } from './schedules/create-schedule.js';
export type { Overlap } from './schedules/schedule-policies.js';
export type { ScheduleSummary, Schedules } from './schedules/schedules.js';
export type { TriggeredRun } from './schedules/trigger-schedule.js';
export type { ScheduledRun, ScheduleView } from './schedules/show-schedule.js';
export type { DetailsProgress, ImportResultsOptions } from './import-results.js';
export type { RetriedRun, RetryOptions } from './retry-run.js';
export type { UploadedList } from './uploads/upload-list.js';
export type { UploadLimits, UploadUsage } from './uploads/kept-lists.js';
export type { UploadOptions, Uploads, UploadsOfAccount, UploadSummary } from './uploads/uploads.js';
export type { ResentWebhook } from './resend-webhooks.js';
