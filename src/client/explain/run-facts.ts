import type { AskedFor, StartedBy } from '../../engine/core/identity.js';
import type { FailureDetails } from '../../engine/core/failures.js';
import type { HeartbeatDetails } from '../../engine/schema/heartbeat-details.js';
import type { Resource } from '../../engine/core/status.js';
import type { ItemsStatus, StatusDocument } from '../../engine/schema/status-document.js';

/** The known facts of a run at one moment. Times are ISO 8601 in UTC. Holds no input, because it may be secret. */
export interface RunFacts {
  workflowId: string;
  namespace: string;
  /** When the facts were gathered: "ago" and "in" count from here. */
  observedAt: string;
  /** Missing when the namespace has no such run, or has deleted it. */
  run?: RunRecord;
  /** The run's own status; missing when no worker answered. */
  status?: StatusDocument;
  /** Queues that the run needs and no worker polls; missing when the server does not say. */
  idleQueues?: string[];
  /** Calls that run now or wait for their next attempt. */
  calls: PendingCall[];
  /** A workflow task that is due. `attempt` above 1 means that it failed before. */
  workflowTask?: { attempt: number; since?: string };
  past: Past;
  /** How a closed run ended. */
  ending?: Ending;
}

export interface RunRecord {
  operation: string;
  /** Temporal's name of the state: RUNNING, COMPLETED, FAILED, CANCELLED, TERMINATED, TIMED_OUT … */
  state: string;
  /** When its first history began, while the server has that. */
  startedAt: string;
  closedAt?: string;
  taskQueue: string;
  account: string;
  /** Who started it, or started it again, by its memo. */
  startedBy?: StartedBy;
}

export interface PendingCall {
  name: string;
  attempt: number;
  nextAttemptAt?: string;
  lastFailure?: { type?: string; message: string };
  /** What it waits for in the process of its worker. */
  waiting?: HeartbeatDetails;
}

/** What the newest part of the history shows. */
export interface Past {
  /** Running timers. */
  timers: { summary?: string; firesAt: string }[];
  lastCall?: { name: string; endedAt: string };
  /** The failure of the last workflow task: a defect, or a worker of another version. */
  workflowTaskFailure?: { at: string; message: string; type?: string };
  pausedAt?: string;
  /** Who has asked what of the run, the oldest first; the newest five. */
  asked?: PastAsked[];
  /** Who has started this history, by its first event. */
  startedBy?: string;
  cancelRequestedAt?: string;
  /** Who terminated the run, and why. */
  terminated?: { by: string; reason: string };
  /** Tasks that the API named in its answers to this run. */
  taskIds: string[];
  /** Ids of created or adopted resources, from answers and search attributes. They may be gone by now. */
  resourceIds: string[];
  /** What the run named last as existing; missing when the server does not know it. */
  leftIds?: string[];
}

/** Something that somebody has asked of a run, and the run has taken. */
export interface PastAsked {
  for: AskedFor;
  /** The name that came with it; without one the identity of the client. Both are claims. */
  by: string;
  at: string;
  /** Identity of the client that has sent it, where that differs. */
  sentBy?: string;
  /** How the Temporal server knows the sender, which has signed in: only with an authorizer that records it. */
  checkedAs?: string;
}

export type Ending =
  | {
      kind: 'succeeded';
      resources: Resource[];
      /** Of a run with many items, some of which may have failed. */
      counts?: Pick<ItemsStatus, 'asked' | 'succeeded'>;
    }
  | { kind: 'failed'; type: string; message: string; details: Partial<FailureDetails> }
  | { kind: 'cancelled' };
