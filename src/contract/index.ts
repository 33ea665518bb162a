/** The contract between callers and the worker: inputs, results, failures, the status document, names. */
export { createInstanceBodySchema, type CreateInstanceBody } from './api/create-instance-body.js';
export { ddosProfileBodySchema, type DdosProfileBody } from './api/ddos-profile-body.js';
export { FailureType, withoutAdvice, type FailureDetails, type Fault } from './failures.js';
export { manifestSchema, type Manifest } from './manifest.js';
export { reportQuery, statusQuery } from './messages.js';
export { fromRanges, toRanges } from './number-ranges.js';
export * from './names.js';
export { operationSchemas, type Operations, type WorkflowOf } from './operations/index.js';
export {
  grantSftpAccessInputSchema,
  grantSftpAccessResultSchema,
  type GrantSftpAccessInput,
  type GrantSftpAccessResult,
} from './operations/grant-sftp-access.js';
export {
  importReportSchema,
  importVideosInputSchema,
  importVideosResultSchema,
  type ImportReport,
  type ImportVideosInput,
  type ImportVideosResult,
} from './operations/import-videos.js';
export {
  listSshKeysInputSchema,
  listSshKeysResultSchema,
  type ListSshKeysInput,
  type ListSshKeysResult,
} from './operations/list-ssh-keys.js';
export { kvItemSchema, type KvItem } from './api/kv-item.js';
export {
  modifyKvStoreInputSchema,
  modifyKvStoreResultSchema,
  type ModifyKvStoreInput,
  type ModifyKvStoreResult,
} from './operations/modify-kv-store.js';
export {
  protectIpInputSchema,
  protectIpResultSchema,
  type ProtectIpInput,
  type ProtectIpResult,
} from './operations/protect-ip.js';
export {
  provisionInstanceInputSchema,
  provisionInstanceResultSchema,
  type ProvisionInstanceInput,
  type ProvisionInstanceResult,
} from './operations/provision-instance.js';
export {
  plannedSchema,
  planSchema,
  type Plan,
  type PlanFinding,
  type Planned,
  type PlannedCall,
} from './plan.js';
export { formatFaults, parseInput, type ParsedInput } from './parse-input.js';
export { reportLines, type ItemResult } from './report-lines.js';
export { Phase, ResourceKind, StepState } from './status.js';
export {
  statusDocumentSchema,
  type Blocked,
  type Resource,
  type StatusDocument,
  type StepStatus,
  type Waiting,
} from './status-document.js';
