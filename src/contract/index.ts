/** The contract between callers and the worker: inputs, results, failures, the status document, names. */
export { createInstanceBodySchema, type CreateInstanceBody } from './api/create-instance-body.js';
export { ddosProfileBodySchema, type DdosProfileBody } from './api/ddos-profile-body.js';
export {
  FailureType,
  withoutAdvice,
  type FailureDetails,
  type Fault,
} from '../engine/core/failures.js';
export { manifestSchema, type Manifest } from './manifest.js';
export { reportQuery, statusQuery } from '../engine/core/messages.js';
export { fromRanges, toRanges } from '../engine/core/number-ranges.js';
export * from './wire/names.js';
export * from './operations/index.js';
export { kvItemSchema, type KvItem } from './api/kv-item.js';
export {
  plannedSchema,
  planSchema,
  type Plan,
  type PlanFinding,
  type Planned,
  type PlannedCall,
} from '../engine/schema/plan.js';
export { formatFaults, parseInput, type ParsedInput } from '../engine/schema/parse-input.js';
export { type Resource } from '../engine/schema/resource.js';
export { reportLines, type ItemResult } from './report-lines.js';
export { Phase, ResourceKind, StepState } from '../engine/core/status.js';
export {
  statusDocumentSchema,
  type Blocked,
  type KnownFailure,
  type StatusDocument,
  type StepStatus,
  type Waiting,
} from '../engine/schema/status-document.js';
