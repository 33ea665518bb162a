/** The contract between callers and the worker: inputs, results, failures, the status document, names. */
export { createInstanceBodySchema } from './api/create-instance-body.js';
export { ddosProfileBodySchema } from './api/ddos.js';
export {
  FailureType,
  withoutAdvice,
  type FailureDetails,
  type Fault,
} from '../engine/core/failures.js';
export { manifestSchema } from './manifest.js';
export { statusQuery } from '../engine/core/messages.js';
export { reportQuery } from './wire/messages.js';
export { fromRanges, toRanges } from '../engine/core/number-ranges.js';
export * from '../engine/core/names.js';
export * from './wire/names.js';
export * from './operations/index.js';
export { kvItemSchema } from './api/fastedge.js';
export { plannedSchema, planSchema } from './documents.js';
export type { Plan, PlanFinding, Planned, PlannedCall } from '../engine/schema/documents.js';
export { formatFaults } from '../engine/core/faults.js';
export { parseInput, type ParsedInput } from '../engine/schema/parse-input.js';
export type { Resource } from '../engine/core/status.js';
export { reportLines, type ItemResult } from './report-lines.js';
export type { VideoDetails } from './video-details.js';
export { Phase, StepState } from '../engine/core/status.js';
export { statusDocumentSchema } from './documents.js';
export type {
  Blocked,
  KnownFailure,
  StatusDocument,
  Waiting,
} from '../engine/schema/status-document.js';
export {
  videoLinks,
  type LinkedVideo,
  type VideoLinkOptions,
  type VideoLinks,
} from './video-links.js';
