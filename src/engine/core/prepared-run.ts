import type { RunPolicy } from './run-policy.js';
import type { WebhookTarget } from './webhook-events.js';

/** What the worker adds to an input: defaults and how to wait. It never repeats the body. */
export interface PreparedRun {
  account: string;
  /** Missing when a run creates nothing that could be removed or kept. */
  onFailure?: 'rollback' | 'keep';
  onBlocked: 'wait' | 'fail';
  /** The run changes nothing: its result says what it would do. */
  planOnly?: true;
  /** Counted from the start of the run. */
  deadlineMs?: number;
  policy: RunPolicy;
  /** Temporal's priority key for the calls of a run that was started without one. */
  priorityKey?: number;
  /** Who is told about the run; missing when nobody is. */
  notify?: WebhookTarget[];
}

/** A run whose calls would happen twice if they were repeated. The marker finds what they made. */
export interface PreparedSender extends PreparedRun {
  onFailure: 'rollback' | 'keep';
  /** When an earlier run of this id was terminated: one of its calls may still be in flight. */
  cutShortAt?: number;
  marker: string;
  /** This run, as its tag on resources names it. */
  maker: string;
}

/** What the first event of the history says. A reset copies it from the run that it ends. */
export interface FirstEvent {
  runId: string;
  /** In milliseconds since the epoch. */
  at: number;
}
