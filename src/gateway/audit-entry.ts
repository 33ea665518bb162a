/** One read of what runs hold, or one thing that was asked of them: who, which run, from where. */
export interface AuditEntry {
  requestId: string;
  /** `start`, `result`, `report`, `decode`, `encode`, or what was asked of a run, such as `abort`. */
  action: string;
  /** Missing at the codec server: a payload does not say whose it is. */
  workflowId?: string;
  /** Name of the token. */
  caller: string;
  /** Address of the caller. */
  from: string;
  /** `done`, or the code of the problem that refused it. */
  outcome: string;
}

export type Audit = (entry: AuditEntry) => void;
