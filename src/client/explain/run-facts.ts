import type { FailureDetails } from '../../contract/failures.js';
import type { Resource } from '../../contract/resource.js';
import type { StatusDocument } from '../../contract/status-document.js';

/** All that is known of a run at one moment. Times are ISO 8601 in UTC. Holds no input: that may be secret. */
export interface RunFacts {
  workflowId: string;
  namespace: string;
  /** When this was found out: what "ago" and "in" count from. */
  observedAt: string;
  /** Missing: the namespace has no such run, or has forgotten it. */
  run?: RunRecord;
  /** The run's own words; missing when no worker has answered. */
  status?: StatusDocument;
  /** Queues that the run needs and no worker polls; missing when the server does not tell. */
  idleQueues?: string[];
  /** Calls that are under way, or wait for their next attempt. */
  calls: PendingCall[];
  /** A decision of the workflow that is due; `attempt` above 1: it has failed before. */
  workflowTask?: { attempt: number; since?: string };
  past: Past;
  /** How a closed run ended. */
  ending?: Ending;
}

export interface RunRecord {
  operation: string;
  /** Temporal's word: RUNNING, COMPLETED, FAILED, CANCELLED, TERMINATED, TIMED_OUT … */
  state: string;
  startedAt: string;
  closedAt?: string;
  taskQueue: string;
  account: string;
}

export interface PendingCall {
  name: string;
  attempt: number;
  nextAttemptAt?: string;
  lastFailure?: { type?: string; message: string };
}

/** What the newest part of the history tells. */
export interface Past {
  /** Timers that are set. */
  timers: { summary?: string; firesAt: string }[];
  lastCall?: { name: string; endedAt: string };
  /** The failure of the last decision: the code, or a worker of another version. */
  workflowTaskFailure?: { at: string; message: string };
  pausedAt?: string;
  cancelRequestedAt?: string;
  /** Who ended the run from outside, and why. */
  terminated?: { by: string; reason: string };
  /** Tasks that the API has named in answer to this run's calls. */
  taskIds: string[];
  /** What was made or adopted, as far as calls or search attributes have told. */
  resourceIds: string[];
}

export type Ending =
  | { kind: 'succeeded'; resources: Resource[] }
  | { kind: 'failed'; type: string; message: string; details: Partial<FailureDetails> }
  | { kind: 'cancelled' };
