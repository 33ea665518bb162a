/** The contract between callers and the worker: inputs, results, failures, the status document, names. */
export { createInstanceBodySchema, type CreateInstanceBody } from './api/create-instance-body.js';
export { ddosProfileBodySchema, type DdosProfileBody } from './api/ddos-profile-body.js';
export { FailureType, withoutAdvice, type FailureDetails, type Fault } from './failures.js';
export { manifestSchema, type Manifest } from './manifest.js';
export { reportQuery, statusQuery } from './messages.js';
export { fromRanges, toRanges } from './number-ranges.js';
export * from './names.js';
export * from './operations/index.js';
export { kvItemSchema, type KvItem } from './api/kv-item.js';
export {
  plannedSchema,
  planSchema,
  type Plan,
  type PlanFinding,
  type Planned,
  type PlannedCall,
} from './plan.js';
export { formatFaults, parseInput, type ParsedInput } from './parse-input.js';
export { type Resource } from './resource.js';
export { reportLines, type ItemResult } from './report-lines.js';
export { Phase, ResourceKind, StepState } from './status.js';
export {
  statusDocumentSchema,
  type Blocked,
  type KnownFailure,
  type StatusDocument,
  type StepStatus,
  type Waiting,
} from './status-document.js';
