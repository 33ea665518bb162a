import type { Clock } from '../../time/clock.js';
import type { Draw } from '../../time/draw.js';
import type { Execution } from './execution.js';
import type { Queues } from './queues.js';
import type { Visibility } from './visibility.js';

/** What a dynamic config would set. */
export interface Limits {
  /** Events of a history from which on the server suggests to continue as new. */
  suggestContinueAsNewCount: number;
  suggestContinueAsNewBytes: number;
  /** A longest wait of a poll for a task. */
  pollMs: number;
  /** A longest wait for an event of a history, or for an update. */
  longPollMs: number;
  /** Shortest time of any timer: `history.timerProcessorMaxTimeShift`. */
  shortestTimerMs: number;
  /** Most that the visibility store is behind. */
  visibilityLagMs: number;
  /** A query that no worker answers fails after this. */
  queryMs: number;
  /** Shortest time between the start of a run and that of the run that continues it. */
  continueAsNewMinMs: number;
}

export interface Namespace {
  readonly name: string;
  readonly id: string;
  data: Record<string, string>;
  description: string;
  ownerEmail: string;
}

/** What the parts of the server share. */
export interface Server {
  readonly clock: Clock;
  readonly draw: Draw;
  readonly limits: Limits;
  readonly namespace: Namespace;
  readonly clusterId: string;
  /** Type of each search attribute of the namespace. */
  readonly searchAttributes: Map<string, string>;
  readonly executions: Executions;
  readonly queues: Queues;
  readonly visibility: Visibility;
  readonly hooks: Hooks;
}

export interface Executions {
  /** By the id of the run. */
  readonly byRun: Map<string, Execution>;
  /** The newest run of each workflow id. */
  readonly current: Map<string, Execution>;
}

/** Where one part of the server sets off another that builds on it. */
export interface Hooks {
  created: (execution: Execution) => void;
  /** A run has closed: parents, children and pollers learn of it. */
  closed: (execution: Execution) => void;
  /** Something that the visibility store shows has changed. */
  changed: (execution: Execution) => void;
}
